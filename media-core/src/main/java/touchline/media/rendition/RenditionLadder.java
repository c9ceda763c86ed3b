package touchline.media.rendition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.concurrent.LogContext;
import touchline.media.concurrent.ThreadPriority;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoFrameTap;
import touchline.media.hub.FeedReader;

/**
 * Makes the renditions of one session from its program: decodes once, or takes the compositor's
 * frames, scales, and encodes each rendition to a feed of its own. It ends with the program.
 *
 * <p>One platform thread decodes and scales, one a rendition encodes, all of low priority. Nothing
 * here slows the program: a rendition that is late is dropped, see {@link LoadRules}. A rendition
 * has no gap: from its first key frame on it has a unit for each of the program's, or it is
 * dropped.
 *
 * <p>Any thread calls; the listener is called on the threads here.
 */
public final class RenditionLadder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RenditionLadder.class);

    /** Payload that may wait: a GOP of ten seconds at 12 Mbit/s, which a ladder starts with. */
    public static final long QUEUE_BYTES = 16L << 20;

    /** Later units: a rendition is dropped. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(400);

    /** Later units: all renditions are dropped. */
    private static final long TOO_LATE_NS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** Less than this: what waited at the start is done. */
    private static final long CAUGHT_UP_NS = TimeUnit.MILLISECONDS.toNanos(150);

    /** More than the queue of an encoder holds: all encoders are open then. */
    private static final int FIRST_FRAMES = RenditionEncoder.MAX_FRAMES + 4;

    private static final long CATCH_UP_NS = TimeUnit.SECONDS.toNanos(4);

    /** A shorter drain did not wait, so its units may have waited in the queue. */
    private static final long NO_WAIT_NS = 500_000L;

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final String session;
    private final Dependencies dependencies;
    private final CompositedFrames composited = new CompositedFrames();
    private final RenditionPyramid pyramid;
    private final FrameSupply frames;
    private final ArrivalPace pace = new ArrivalPace();

    private volatile @Nullable Thread thread;

    // Used by the ladder's thread only.
    private @Nullable Timeline timeline;
    private boolean refused;
    private @Nullable String gpuFailure;
    private boolean catchingUp = true;
    private long catchUpUntilNs;
    private int framesInCatchUp;
    private long arrivedNs;

    /**
     * Dependencies of a ladder; all borrowed.
     *
     * @param rules shared by all ladders of a server
     * @param counters likewise
     * @param nanoTime monotonic clock
     */
    public record Dependencies(
            RenditionEncoding encoding,
            LoadRules rules,
            RenditionCounters counters,
            RenditionListener listener,
            LongSupplier nanoTime) {}

    /**
     * @param session for logs and thread names
     * @param settings what the stream asks for
     */
    public RenditionLadder(String session, RenditionSettings settings, Dependencies dependencies) {
        this.session = session;
        this.dependencies = dependencies;
        this.pyramid = new RenditionPyramid(session, settings, dependencies);
        this.frames =
                new FrameSupply(
                        session,
                        composited,
                        dependencies.counters(),
                        dependencies.encoding().hardwareDecoder(),
                        this::encode);
        composited.want(true);
    }

    /**
     * Starts. Called once.
     *
     * @param program closed by this ladder
     */
    public void start(FeedReader program) {
        thread =
                Thread.ofPlatform()
                        .name("ladder-" + session)
                        .daemon()
                        .start(LogContext.carried(() -> run(program)));
    }

    /** Takes the frames of a compositor, so that they need not be decoded. */
    public VideoFrameTap tap() {
        return composited;
    }

    /** The renditions of the newest timeline, the largest first. */
    public List<RenditionStatus> status() {
        return pyramid.status();
    }

    private void run(FeedReader program) {
        try (program;
                pyramid;
                frames;
                composited) {
            ThreadPriority.lower(RenditionEncoder.NICENESS);
            runOpen(program);
        } catch (InterruptedException _) {
            // Closed.
        }
    }

    private void runOpen(FeedReader program) throws InterruptedException {
        try {
            readAll(program);
            frames.end();
            pyramid.finish();
        } catch (RuntimeException | Error e) {
            log.error("session={} its renditions failed", session, e);
            pyramid.dropAll("an internal error");
        }
    }

    private void readAll(FeedReader program) throws InterruptedException {
        List<FeedItem> batch = new ArrayList<>();
        long drainedNs = now();
        catchUp();
        while (drain(program, batch, drainedNs)) {
            drainedNs = now();
            for (FeedItem item : batch) {
                accept(item);
            }
            batch.clear();
        }
    }

    private boolean drain(FeedReader program, List<FeedItem> batch, long lastDrainNs)
            throws InterruptedException {
        long beforeNs = now();
        boolean more = program.drain(batch::add);
        long afterNs = now();
        arrivedNs = afterNs - beforeNs < NO_WAIT_NS ? lastDrainNs : afterNs;
        return more;
    }

    private void accept(FeedItem item) throws InterruptedException {
        switch (item) {
            case Timeline started -> begin(started);
            case Interruption _ -> {
                frames.end();
                timeline = null;
                pyramid.interruption();
            }
            case AccessUnit unit -> {
                if (unit.track().isVideo() && timeline != null && !refused) {
                    accept(unit);
                }
            }
        }
    }

    private void begin(Timeline started) throws InterruptedException {
        frames.end();
        timeline = started;
        refused = false;
        pace.clear();
        catchUp();
        if (started.video().isPresent()) {
            pyramid.begin(started);
        } else {
            pyramid.endAll();
        }
    }

    private void accept(AccessUnit unit) throws InterruptedException {
        pace.arrived(unit.dtsUs(), arrivedNs);
        checkLoad();
        if (unit.isKeyFrame()) {
            dropLate();
            pyramid.provided(dependencies.listener().provided());
            pyramid.takeBack(unit.ptsTicks());
        }
        boolean idle = pyramid.isIdle();
        composited.want(!idle);
        if (idle) {
            frames.pause();
            return;
        }
        try {
            frames.accept(unit);
        } catch (DecodingRefusedException e) {
            refused = true;
            frames.pause();
            pyramid.endAll();
            dependencies.listener().refused(e);
        }
        String failure = gpuFailure;
        if (failure != null) {
            gpuFailure = null;
            pyramid.dropAll("the GPU failed: " + failure);
            frames.withoutGpu(failure);
        }
    }

    private void encode(VideoFrame frame, FrameTimes.Times times) throws InterruptedException {
        framesInCatchUp++;
        long patienceNs = isLive() ? TOO_LATE_NS : Long.MAX_VALUE;
        try {
            pyramid.encode(frame, times, frames.usesComposited(), patienceNs);
        } catch (FfmpegException e) {
            if (!frame.isOnGpu()) {
                throw e;
            }
            gpuFailure = String.valueOf(e.getMessage());
        }
    }

    /** What waits at the start of a timeline is no sign of load: encoders are opened meanwhile. */
    private void catchUp() {
        catchingUp = true;
        framesInCatchUp = 0;
        catchUpUntilNs = now() + CATCH_UP_NS;
    }

    private void checkLoad() {
        long lagNs = now() - arrivedNs;
        boolean caughtUp = lagNs < CAUGHT_UP_NS && framesInCatchUp >= FIRST_FRAMES;
        if (catchingUp && (caughtUp || now() - catchUpUntilNs > 0)) {
            catchingUp = false;
        }
        if (pyramid.dropFailed()) {
            boolean _ = dependencies.rules().mayDrop();
        }
        if (!isLive() || pyramid.isIdle()) {
            return;
        }
        if (lagNs > TOO_LATE_NS) {
            boolean _ = dependencies.rules().mayDrop();
            pyramid.dropAll(reason(lagNs));
        } else if (lagNs > LATE_NS && dependencies.rules().mayDrop()) {
            pyramid.dropOne(reason(lagNs));
        }
    }

    /** Load shows; a publisher that sends faster than real time is none. */
    private boolean isLive() {
        return !catchingUp && !pace.isFast();
    }

    private void dropLate() {
        if (!isLive()) {
            return;
        }
        for (String name : dependencies.listener().late()) {
            boolean _ = dependencies.rules().mayDrop();
            pyramid.drop(name, "its segments are late: the machine does not keep up");
        }
    }

    private static String reason(long lagNs) {
        return "the machine does not keep up (%d ms behind)"
                .formatted(TimeUnit.NANOSECONDS.toMillis(lagNs));
    }

    private long now() {
        return dependencies.nanoTime().getAsLong();
    }

    /** Waits for the end of the program and of its renditions. For tests. */
    void awaitEnd() throws InterruptedException {
        Thread started = thread;
        if (started != null) {
            started.join();
        }
    }

    /** Ends all renditions at once; without effect after the program's end. Idempotent. */
    @Override
    public void close() {
        Thread started = thread;
        if (started == null) {
            composited.close();
            return;
        }
        started.interrupt();
        try {
            if (!started.join(CLOSE)) {
                log.warn("session={} its renditions are still busy", session);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
