package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.concurrent.LogContext;
import touchline.media.ffmpeg.FrameQueue;
import touchline.media.ffmpeg.VideoFrameTap;
import touchline.media.hub.FrameTap;
import touchline.media.hub.ProgramSwitch;
import touchline.media.hub.Subscription;

/**
 * Decodes a session's source, draws layers over it, and encodes it as the session's program. Media
 * time stays the same. Two platform threads per stream: one decodes, one draws and encodes. A frame
 * stays at most half a second.
 *
 * <p>It ends the program when the source ends. After a failure or {@link #close} the program is the
 * source again. Any thread may call; layers and taps are borrowed and called on the second thread.
 */
public final class Compositor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Compositor.class);
    private static final int MAX_FRAMES = 8;
    private static final int MAX_ITEMS = 512;

    /**
     * Payload that may wait for the decoder: a GOP of ten seconds at 12 Mbit/s, which a joining
     * compositor starts with. Late units are dropped before this is full.
     */
    public static final long QUEUE_BYTES = 16L << 20;

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final CompositorSettings settings;
    private final Dependencies dependencies;

    /** The compositing thread drops frames that are too old, so that waits for space stay short. */
    private final FrameQueue<StageItem> queue =
            new FrameQueue<>(MAX_FRAMES, MAX_ITEMS, new StageItem.End());

    private final LayerDrawing drawing;
    private final DecodeStage decode;
    private final ComposeStage compose;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread decoder;
    private final Thread composer;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable RuntimeException failure;

    @GuardedBy("lock")
    private int running = 2;

    @GuardedBy("lock")
    private boolean closing;

    /**
     * Dependencies of a compositor.
     *
     * @param program written after the take-over
     * @param audio processes the main audio; closed by the compositor
     * @param counters shared by all compositors
     * @param listener receives overload, failure and end
     * @param nanoTime monotonic clock for lateness and load
     */
    public record Dependencies(
            ProgramSwitch program,
            AudioStage audio,
            CompositorCounters counters,
            CompositorListener listener,
            LongSupplier nanoTime) {}

    private Compositor(
            Subscription source,
            boolean joining,
            CompositorSettings settings,
            Dependencies dependencies) {
        this.settings = settings;
        this.dependencies = dependencies;
        CompositorCounters counters = dependencies.counters();
        this.drawing = new LayerDrawing(counters);
        this.decode =
                new DecodeStage(
                        new DecodeStage.Dependencies(
                                settings,
                                source,
                                dependencies.program(),
                                counters,
                                dependencies.listener(),
                                dependencies.nanoTime()),
                        queue,
                        joining);
        this.compose =
                new ComposeStage(
                        new ComposeStage.Dependencies(
                                settings,
                                drawing,
                                dependencies.audio(),
                                counters,
                                dependencies.listener(),
                                dependencies.nanoTime()),
                        queue,
                        new ProgramWriter(dependencies.program()));
        this.decoder =
                Thread.ofPlatform()
                        .name("decode-" + settings.stream())
                        .unstarted(
                                LogContext.session(
                                        settings.stream(),
                                        settings.session(),
                                        () -> run(decode::run)));
        this.composer =
                Thread.ofPlatform()
                        .name("compose-" + settings.stream())
                        .unstarted(
                                LogContext.session(
                                        settings.stream(),
                                        settings.session(),
                                        () -> run(compose::run)));
    }

    /**
     * Starts with a session's first media. The program must be taken over already, so that no
     * viewer has seen the source.
     *
     * @param source reading end of the source, closed by the compositor
     */
    public static Compositor start(
            Subscription source, CompositorSettings settings, Dependencies dependencies) {
        return started(new Compositor(source, /* joining= */ false, settings, dependencies));
    }

    /**
     * Joins a running session: takes the program over, with a discontinuity, after it has decoded
     * the newest unit.
     *
     * @param source new reading end of the source, closed by the compositor
     */
    public static Compositor join(
            Subscription source, CompositorSettings settings, Dependencies dependencies) {
        return started(new Compositor(source, /* joining= */ true, settings, dependencies));
    }

    private static Compositor started(Compositor compositor) {
        compositor.dependencies.counters().started();
        compositor.decoder.start();
        compositor.composer.start();
        return compositor;
    }

    /**
     * Sets the layers from the next frame on, the lowest first; an empty list shows the plain
     * frame.
     */
    public void layers(List<OverlayLayer> layers) {
        drawing.layers(layers);
    }

    /** Offers composed frames to a tap, on the compositing thread, until the tap is removed. */
    public void addTap(FrameTap tap) {
        drawing.addTap(tap);
    }

    public void removeTap(FrameTap tap) {
        drawing.removeTap(tap);
    }

    /**
     * Shares composed frames with a tap, on the compositing thread, without copying them; it
     * replaces the one before.
     */
    public void share(VideoFrameTap tap) {
        drawing.share(tap);
    }

    /** Presentation time of the newest composed frame; {@link Long#MIN_VALUE} before the first. */
    public long newestPtsUs() {
        return compose.newestPtsUs();
    }

    /** False after its end or failure. */
    public boolean isRunning() {
        return ended.getCount() > 0;
    }

    /** Stops at once; the program is the source again unless that has ended. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
        } finally {
            lock.unlock();
        }
        stop();
        try {
            if (!ended.await(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("stream={} its compositor is still busy", settings.stream());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void stop() {
        queue.close();
        decoder.interrupt();
        composer.interrupt();
    }

    /** Main method of a stage. */
    @FunctionalInterface
    private interface Stage {
        void run() throws InterruptedException;
    }

    private void run(Stage stage) {
        boolean finished = false;
        try {
            stage.run();
            finished = true;
        } catch (InterruptedException _) {
            // Closed, or the other stage has failed.
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            stageEnded(finished);
        }
    }

    private void fail(Throwable cause) {
        RuntimeException failed =
                cause instanceof RuntimeException known
                        ? known
                        : new IllegalStateException(cause.toString(), cause);
        lock.lock();
        try {
            if (failure != null || closing) {
                return;
            }
            failure = failed;
        } finally {
            lock.unlock();
        }
        log.error(
                "stream={} session={} the compositor failed",
                settings.stream(),
                settings.session(),
                cause);
        stop();
    }

    /** The last stage to end ends the program or gives it back to the source. */
    private void stageEnded(boolean finished) {
        RuntimeException failed;
        boolean closed;
        lock.lock();
        try {
            running--;
            if (running > 0) {
                return;
            }
            failed = failure;
            closed = closing;
        } finally {
            lock.unlock();
        }
        try {
            dependencies.counters().ended();
            if (finished && !closed && failed == null && decode.hasTakenOver()) {
                dependencies.program().end();
            } else {
                dependencies.program().giveBack();
            }
            if (failed != null) {
                dependencies.counters().failed();
                dependencies.listener().failed(failed);
            }
            dependencies.listener().ended();
        } finally {
            ended.countDown();
        }
    }
}
