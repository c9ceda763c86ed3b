package touchline.overlay;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.ffmpeg.FrameQueue;
import touchline.media.ffmpeg.LiveDecoder;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.ProgramSwitch;
import touchline.media.hub.Subscription;

/**
 * First stage of a compositor: decodes access units. Counts and skips broken units. When it joins a
 * running session, it decodes up to the newest unit first and takes the program over there. A
 * platform thread of its own.
 */
final class DecodeStage {
    private static final Logger log = LoggerFactory.getLogger(DecodeStage.class);

    /** Later units: the decoder skips non-reference frames. */
    private static final long LATE_NS = 200_000_000L;

    /** Later units: everything up to the next key frame is dropped. */
    private static final long TOO_LATE_NS = 450_000_000L;

    private static final long WARN_EVERY_NS = 1_000_000_000L;

    /** A shorter drain did not wait, so its units may have waited in the queue. */
    private static final long NO_WAIT_NS = 500_000L;

    private final CompositorSettings settings;
    private final Subscription source;
    private final ProgramSwitch program;
    private final FrameQueue<StageItem> out;
    private final CompositorCounters counters;
    private final CompositorListener listener;
    private final LongSupplier nanoTime;
    private final LiveDecoder decoder;

    private @Nullable Timeline timeline;
    private boolean joining;
    private boolean skipping;
    private boolean decoded;
    private ProgramSwitch.Passed passed = ProgramSwitch.Passed.NOTHING;
    private long arrivedNs;
    private long codedBytes;
    private long warnedNs = Long.MIN_VALUE;
    private long brokenSinceWarning;

    /** All are borrowed except the subscription, which {@link #run} closes. */
    record Dependencies(
            CompositorSettings settings,
            Subscription source,
            ProgramSwitch program,
            CompositorCounters counters,
            CompositorListener listener,
            LongSupplier nanoTime) {}

    /**
     * @param joining whether the session runs already and the program must be taken over
     */
    DecodeStage(Dependencies dependencies, FrameQueue<StageItem> out, boolean joining) {
        this.settings = dependencies.settings();
        this.source = dependencies.source();
        this.program = dependencies.program();
        this.counters = dependencies.counters();
        this.listener = dependencies.listener();
        this.nanoTime = dependencies.nanoTime();
        this.out = out;
        this.joining = joining;
        this.decoder =
                new LiveDecoder(
                        "stream=%s session=%s".formatted(settings.stream(), settings.session()),
                        settings.gpu());
    }

    /** Runs until the source ends, the queue is closed or the thread is interrupted. */
    void run() throws InterruptedException {
        List<FeedItem> batch = new ArrayList<>();
        try (source) {
            long drainedNs = nanoTime.getAsLong();
            while (drain(batch, drainedNs)) {
                drainedNs = nanoTime.getAsLong();
                for (FeedItem item : batch) {
                    if (!accept(item)) {
                        return;
                    }
                }
                batch.clear();
                if (joining && decoded && source.queuedBytes() == 0 && !takeOver()) {
                    return;
                }
            }
            if (!joining) {
                boolean _ = drainDecoder() && pass(new StageItem.End());
            }
        } finally {
            decoder.close();
        }
    }

    /** Whether this compositor writes the program. */
    boolean hasTakenOver() {
        return !joining;
    }

    private boolean drain(List<FeedItem> batch, long lastDrainNs) throws InterruptedException {
        long beforeNs = nanoTime.getAsLong();
        boolean more = source.drain(batch::add);
        long afterNs = nanoTime.getAsLong();
        arrivedNs = afterNs - beforeNs < NO_WAIT_NS ? lastDrainNs : afterNs;
        return more;
    }

    private boolean takeOver() throws InterruptedException {
        joining = false;
        passed = program.takeOver();
        listener.tookOver();
        Timeline current = timeline;
        return current == null || pass(new StageItem.Passing(current));
    }

    private boolean accept(FeedItem item) throws InterruptedException {
        return switch (item) {
            case Timeline started -> begin(started);
            case Interruption gone -> {
                timeline = null;
                yield drainDecoder() && pass(gone);
            }
            case AccessUnit unit -> unit.track().isVideo() ? decode(unit) : passAudio(unit);
        };
    }

    private boolean begin(Timeline started) throws InterruptedException {
        Track before = timeline == null ? null : timeline.video().orElse(null);
        if (!drainDecoder()) {
            return false;
        }
        timeline = started;
        decoded = false;
        Track video = started.video().orElse(null);
        if (video == null || !video.equals(before)) {
            decoder.close();
        }
        return pass(started);
    }

    private boolean passAudio(AccessUnit unit) throws InterruptedException {
        return unit.dtsUs() <= passed.audioDtsUs() || pass(unit);
    }

    private boolean pass(FeedItem item) throws InterruptedException {
        return joining || pass(new StageItem.Passing(item));
    }

    private boolean decode(AccessUnit unit) throws InterruptedException {
        long startNs = System.nanoTime();
        codedBytes += unit.payload().byteSize();
        if (isSkipped(unit, nanoTime.getAsLong() - arrivedNs)) {
            counters.droppedFrame();
            return true;
        }
        List<VideoFrame> frames;
        try {
            frames = decoder.decode(unit);
        } catch (RuntimeException e) {
            countBroken(e);
            return true;
        } finally {
            counters.spent(CompositorCounters.Stage.DECODE, startNs);
        }
        return enqueue(frames);
    }

    /** Skips units that are too late to be shown in time. */
    private boolean isSkipped(AccessUnit unit, long ageNs) {
        if (joining) {
            return false;
        }
        if (ageNs > TOO_LATE_NS && !skipping) {
            skipping = true;
        }
        if (skipping && unit.isKeyFrame() && ageNs < TOO_LATE_NS) {
            skipping = false;
            decoder.flush();
        }
        decoder.skip(ageNs > LATE_NS ? VideoDecoder.Skip.NON_REFERENCE : VideoDecoder.Skip.NOTHING);
        return skipping;
    }

    /** Waits for space; false if the queue is closed. */
    private boolean pass(StageItem item) throws InterruptedException {
        return out.put(item, FrameQueue.FOREVER) == FrameQueue.Outcome.ADDED;
    }

    private boolean enqueue(List<VideoFrame> frames) throws InterruptedException {
        boolean open = true;
        for (VideoFrame frame : frames) {
            decoded = true;
            if (joining || !open || frame.ptsUs() <= passed.ptsUs()) {
                frame.close();
            } else {
                open = pass(new StageItem.Decoded(frame, arrivedNs, codedBytes));
                codedBytes = 0;
            }
        }
        return open;
    }

    private boolean drainDecoder() throws InterruptedException {
        try {
            return enqueue(decoder.drain());
        } catch (RuntimeException e) {
            countBroken(e);
            return true;
        }
    }

    /** One frame never ends the stage. */
    private void countBroken(RuntimeException cause) {
        if (cause instanceof DecodingRefusedException refused) {
            listener.refused(refused);
        }
        counters.brokenUnit();
        brokenSinceWarning++;
        long now = System.nanoTime();
        if (warnedNs == Long.MIN_VALUE || now - warnedNs > WARN_EVERY_NS) {
            log.info(
                    "stream={} session={} {} frames cannot be decoded: {}",
                    settings.stream(),
                    settings.session(),
                    brokenSinceWarning,
                    cause.getMessage());
            warnedNs = now;
            brokenSinceWarning = 0;
        }
    }
}
