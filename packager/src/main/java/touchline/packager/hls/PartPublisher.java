package touchline.packager.hls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.PartSink.SealedSegment;
import touchline.packager.isobmff.Fragment;
import touchline.packager.isobmff.InitSegment;

/**
 * Publishes parts: asks the barrier, numbers segments and init segments, writes the bytes, and
 * passes them to the window and the sinks. The packager's thread.
 *
 * <p>An init segment is written with the first published part after a discontinuity. So init
 * segment numbers count the discontinuities that viewers see.
 */
final class PartPublisher {
    private static final Logger log = LoggerFactory.getLogger(PartPublisher.class);

    private final MediaMemory memory;
    private final LiveWindow window;
    private final List<PartSink> sinks;
    private final PublishBarrier barrier;
    private final SegmentNumbers numbers;
    private final RepeatedFrames repeats;
    private final SessionClock clock;
    private int initNumber;
    private boolean initIsDue = true;
    private List<Track> initTracks = List.of();
    private Instant initCreatedAt = Instant.EPOCH;
    private boolean captionsSeen;
    private @Nullable CodecConfig videoConfig;
    private boolean configurationChanged;
    private long mediaSequence;
    private long fragments;
    private long segmentStartUs;
    private long segmentUs;
    private long segmentBytes;
    private int segmentParts;
    private long segmentFrames;

    /**
     * A part to publish. Its times are the feed's; from here on times are the session's ({@link
     * SessionClock}).
     *
     * @param timeline it belongs to
     * @param startUs decode time of its first leading unit, in media microseconds
     * @param endUs where its last leading unit ends
     * @param segmentIsDue the next part probably starts the next segment
     * @param runs leading track first, unless none of its units starts in the part
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

        /** Decoding can start with it: not with audio beside a frame of a part before. */
        boolean independent() {
            Fragment.Run first = leading();
            return first.samples().getFirst().unit().idr()
                    && first.track().isVideo() == timeline.video().isPresent();
        }
    }

    PartPublisher(
            MediaMemory memory,
            LiveWindow window,
            List<PartSink> sinks,
            PublishBarrier barrier,
            SegmentNumbers numbers,
            RepeatedFrames repeats) {
        this.memory = memory;
        this.window = window;
        this.sinks = new ArrayList<>(sinks);
        this.barrier = barrier;
        this.numbers = numbers;
        this.repeats = repeats;
        StoredWindow before = window.toStore();
        this.clock = SessionClock.after(before);
        this.initNumber = before.nextInit() - 1;
        this.videoConfig = window.videoConfig().orElse(null);
        this.mediaSequence = window.settings().firstMediaSequence();
    }

    /** The next part follows a discontinuity. */
    void discontinuity() {
        initIsDue = true;
        window.discontinuity();
        toRenditions(new SourceEvent.Discontinuity());
    }

    /** Publishes a part, unless the barrier or its numbers discard it. Waits for both. */
    PublishBarrier.Verdict publish(PartBuilder builder) throws InterruptedException {
        if (builder.leading().track().isVideo()) {
            PublishBarrier.Verdict verdict = await(builder.leading());
            if (verdict == PublishBarrier.Verdict.DISCARD) {
                return verdict;
            }
        }
        if (!numbers.awaitPart(mediaSequence)
                || (initIsDue && !numbers.awaitInit(initNumber + 1))) {
            return PublishBarrier.Verdict.DISCARD;
        }
        if (initIsDue) {
            writeInit(builder);
        }
        writePart(builder);
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
        toRenditions(new SourceEvent.Sealed(targetDurationS, partTargetUs));
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
        toRenditions(new SourceEvent.End());
        toSinks(PartSink::end);
        log.info(
                "session={} packaged parts={} next media sequence={}",
                window.session(),
                fragments,
                mediaSequence);
    }

    private void writeInit(PartBuilder builder) {
        clock.begin(builder);
        Timeline timeline = clock.timeline(builder.timeline());
        CodecConfig before = videoConfig;
        videoConfig = timeline.video().map(Track::codec).orElse(before);
        configurationChanged |= before != null && !before.equals(videoConfig);
        if (!timeline.tracks().equals(initTracks)) {
            initTracks = timeline.tracks();
            initCreatedAt = timeline.startedAt();
        }
        // The same tracks have the same bytes, so that they need not be stored again.
        byte[] bytes = InitSegment.write(initTracks, initCreatedAt);
        MediaBlock block = memory.copy(bytes);
        try {
            // After the window has it: a failure must not leave parts without an init segment.
            long firstUs = clock.us(firstPtsUs(builder.leading()));
            Timeline dated = clock.dated(builder.timeline());
            window.begin(initNumber + 1, dated, block, firstUs);
            initNumber++;
            initIsDue = false;
            toRenditions(
                    new SourceEvent.Init(
                            initNumber, timeline, initCreatedAt, firstUs, clock.shift()));
            toSinks(sink -> sink.initSegment(initNumber, dated, block));
        } finally {
            block.release();
        }
    }

    private void writePart(PartBuilder builder) {
        searchCaptions(builder.leading().samples().getFirst().unit());
        List<Fragment.Run> runs = runs(builder);
        Fragment fragment = new Fragment(++fragments, runs);
        MediaBlock block = memory.allocate(fragment.sizeBytes());
        try {
            fragment.writeTo(block.bytes());
            FinishedPart part =
                    new FinishedPart(
                            mediaSequence,
                            segmentParts,
                            clock.us(builder.startUs()),
                            builder.endUs() - builder.startUs(),
                            builder.independent(),
                            block);
            long startUs = segmentParts == 0 ? part.startUs() : segmentStartUs;
            Instant startsAt = clock.segmentDate(startUs, builder.timeline());
            window.add(part, initNumber, startsAt, builder.segmentIsDue());
            toRenditions(part, startsAt, builder.segmentIsDue(), runs);
            count(builder, part);
            toSinks(
                    sink -> {
                        sink.part(part);
                        sink.units(builder.timeline(), builder.runs());
                    });
        } finally {
            block.release();
        }
    }

    /** With parameter sets in the key frames once the session has had two configurations. */
    private List<Fragment.Run> runs(PartBuilder builder) {
        List<Fragment.Run> runs = clock.runs(builder);
        if (configurationChanged) {
            runs.replaceAll(run -> run.track().isVideo() ? InBandParameterSets.write(run) : run);
        }
        return runs;
    }

    private void searchCaptions(AccessUnit first) {
        if (!captionsSeen && first.isKeyFrame() && CaptionSearch.findsIn(first)) {
            captionsSeen = true;
            window.captionsSeen();
        }
    }

    private void count(PartBuilder builder, FinishedPart part) {
        if (segmentParts == 0) {
            segmentStartUs = part.startUs();
        }
        segmentParts++;
        segmentUs += part.durationUs();
        segmentBytes += part.bytes().sizeBytes();
        if (builder.leading().track().isVideo()) {
            segmentFrames += builder.leading().samples().size();
        }
    }

    private void toRenditions(SourceEvent event) {
        window.renditions().ifPresent(all -> all.publish(event));
    }

    private void toRenditions(
            FinishedPart part, Instant startsAt, boolean due, List<Fragment.Run> runs) {
        if (window.renditions().filter(LiveRenditions::isFollowed).isEmpty()) {
            repeats.clear();
            return;
        }
        boolean hasVideo = runs.getFirst().track().isVideo();
        toRenditions(
                new SourceEvent.Part(
                        part.mediaSequence(),
                        part.index(),
                        part.startUs(),
                        part.durationUs(),
                        startsAt,
                        due,
                        hasVideo
                                ? SourceEvent.Video.of(runs.getFirst(), repeats)
                                : SourceEvent.Video.NONE,
                        hasVideo ? Optional.of(runs.getFirst()) : Optional.empty(),
                        hasVideo ? runs.subList(1, runs.size()) : runs));
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

    private PublishBarrier.Verdict await(Fragment.Run run) throws InterruptedException {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Fragment.Sample sample : run.samples()) {
            first = Math.min(first, sample.unit().ptsUs());
            last = Math.max(last, sample.unit().ptsUs());
        }
        return barrier.await(first, last);
    }
}
