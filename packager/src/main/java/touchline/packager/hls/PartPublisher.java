package touchline.packager.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.Timeline;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.PartSink.SealedSegment;
import touchline.packager.isobmff.Fragment;
import touchline.packager.isobmff.InitSegment;

/**
 * Where parts become public: asks the barrier, numbers segments and init segments, writes the
 * bytes, and hands them to the window and the sinks. The packager's thread.
 *
 * <p>An init segment is written with the first part that passes behind a discontinuity, so numbers
 * of init segments count the discontinuities that viewers see.
 */
final class PartPublisher {
    private static final Logger log = LoggerFactory.getLogger(PartPublisher.class);

    private final MediaMemory memory;
    private final LiveWindow window;
    private final List<PartSink> sinks;
    private final PublishBarrier barrier;
    private int initNumber = -1;
    private boolean initIsDue = true;
    private long mediaSequence;
    private long fragments;
    private long segmentStartUs;
    private long segmentUs;
    private long segmentBytes;
    private int segmentParts;
    private long segmentFrames;

    /**
     * A part to publish.
     *
     * @param timeline it belongs to
     * @param startUs decode time of its first leading unit, in media microseconds
     * @param endUs where its last leading unit ends
     * @param segmentIsDue the next part probably starts the next segment
     * @param runs leading track first
     */
    record PartBuilder(
            Timeline timeline,
            long startUs,
            long endUs,
            boolean segmentIsDue,
            List<Fragment.Run> runs) {
        Fragment.Run leading() {
            return runs.getFirst();
        }
    }

    PartPublisher(
            MediaMemory memory, LiveWindow window, List<PartSink> sinks, PublishBarrier barrier) {
        this.memory = memory;
        this.window = window;
        this.sinks = new ArrayList<>(sinks);
        this.barrier = barrier;
        this.mediaSequence = window.settings().firstMediaSequence();
    }

    /** What follows stands behind a discontinuity. */
    void discontinuity() {
        initIsDue = true;
    }

    /** Publishes a part, or says that the barrier discards it. Waits as long as the barrier. */
    PublishBarrier.Verdict publish(PartBuilder draft) throws InterruptedException {
        if (draft.leading().track().isVideo()) {
            PublishBarrier.Verdict verdict = barrier.await(lastPtsUs(draft.leading()));
            if (verdict == PublishBarrier.Verdict.DISCARD) {
                return verdict;
            }
        }
        if (initIsDue) {
            writeInit(draft);
        }
        writePart(draft);
        return PublishBarrier.Verdict.PASS;
    }

    /** Published media of the growing segment. */
    long segmentUs() {
        return segmentUs;
    }

    /** Completes the growing segment; there is at least one part in it. */
    void seal(int targetDurationS, long partTargetUs) {
        double rate = segmentUs == 0 ? 0 : segmentFrames * 1_000_000.0 / segmentUs;
        window.seal(targetDurationS, partTargetUs, rate);
        SealedSegment sealed =
                new SealedSegment(
                        mediaSequence,
                        initNumber,
                        segmentStartUs,
                        segmentUs,
                        segmentParts,
                        segmentBytes);
        toSinks(sink -> sink.sealed(sealed));
        mediaSequence++;
        segmentParts = 0;
        segmentUs = 0;
        segmentBytes = 0;
        segmentFrames = 0;
    }

    void end() {
        window.end();
        toSinks(PartSink::end);
        log.info(
                "session={} packaged parts={} next media sequence={}",
                window.session(),
                fragments,
                mediaSequence);
    }

    private void writeInit(PartBuilder draft) {
        Timeline timeline = draft.timeline();
        byte[] bytes = InitSegment.write(timeline.tracks(), timeline.startedAt());
        MediaBlock block = memory.copy(bytes);
        try {
            initNumber++;
            initIsDue = false;
            window.begin(initNumber, timeline, block, firstPtsUs(draft.leading()));
            toSinks(sink -> sink.initSegment(initNumber, timeline, block));
        } finally {
            block.release();
        }
    }

    private void writePart(PartBuilder draft) {
        Fragment fragment = new Fragment(++fragments, draft.runs());
        MediaBlock block = memory.allocate(fragment.sizeBytes());
        try {
            fragment.writeTo(block.bytes());
            FinishedPart part =
                    new FinishedPart(
                            mediaSequence,
                            segmentParts,
                            draft.startUs(),
                            draft.endUs() - draft.startUs(),
                            draft.leading().samples().getFirst().unit().idr(),
                            block);
            count(draft, part);
            window.add(
                    part,
                    initNumber,
                    draft.timeline().wallClock(segmentStartUs),
                    draft.segmentIsDue());
            toSinks(sink -> sink.part(part));
        } finally {
            block.release();
        }
    }

    private void count(PartBuilder draft, FinishedPart part) {
        if (segmentParts == 0) {
            segmentStartUs = part.startUs();
        }
        segmentParts++;
        segmentUs += part.durationUs();
        segmentBytes += part.bytes().sizeBytes();
        if (draft.leading().track().isVideo()) {
            segmentFrames += draft.leading().samples().size();
        }
    }

    private void toSinks(Consumer<PartSink> action) {
        for (PartSink sink : List.copyOf(sinks)) {
            try {
                action.accept(sink);
            } catch (RuntimeException e) {
                sinks.remove(sink);
                log.warn(
                        "session={} sink {} failed and is dropped from the session",
                        window.session(),
                        sink.getClass().getSimpleName(),
                        e);
            }
        }
    }

    private static long firstPtsUs(Fragment.Run run) {
        long first = Long.MAX_VALUE;
        for (Fragment.Sample sample : run.samples()) {
            first = Math.min(first, sample.unit().ptsUs());
        }
        return first;
    }

    private static long lastPtsUs(Fragment.Run run) {
        long last = Long.MIN_VALUE;
        for (Fragment.Sample sample : run.samples()) {
            last = Math.max(last, sample.unit().ptsUs());
        }
        return last;
    }
}
