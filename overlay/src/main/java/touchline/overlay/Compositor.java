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
import touchline.media.hub.FrameTap;
import touchline.media.hub.ProgramSwitch;
import touchline.media.hub.Subscription;

/**
 * One session's source, decoded, drawn over and encoded again, as its program. Media time stays as
 * it is; audio passes by. Two platform threads, named by what they do and the stream: one decodes,
 * one draws and encodes. A frame stays for half a second at most.
 *
 * <p>It ends with the source, and ends the program then; when it fails, or is closed, the source is
 * passed on again. Any thread may call; layers and taps are borrowed, and called on the second
 * thread.
 */
public final class Compositor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Compositor.class);

    /**
     * Payload that may wait for the decoder: the group of frames that one who joins begins with,
     * ten seconds of 12 Mbit/s. What waits for long is left out before this is full.
     */
    public static final long QUEUE_BYTES = 16L << 20;

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final CompositorSettings settings;
    private final Collaborators collaborators;
    private final StageQueue queue = new StageQueue();
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
     * What a compositor works with.
     *
     * @param program what it writes, once it has taken over
     * @param audio what becomes of the main audio; closed by the compositor
     * @param counters shared
     * @param listener told of trouble
     * @param nanoTime what lateness and load are measured with; never goes back
     */
    public record Collaborators(
            ProgramSwitch program,
            AudioStage audio,
            CompositorCounters counters,
            CompositorListener listener,
            LongSupplier nanoTime) {}

    private Compositor(
            Subscription source,
            boolean joining,
            CompositorSettings settings,
            Collaborators collaborators) {
        this.settings = settings;
        this.collaborators = collaborators;
        CompositorCounters counters = collaborators.counters();
        this.drawing = new LayerDrawing(counters);
        this.decode =
                new DecodeStage(
                        new DecodeStage.Dependencies(
                                settings,
                                source,
                                collaborators.program(),
                                counters,
                                collaborators.listener()::tookOver,
                                collaborators.nanoTime()),
                        queue,
                        joining);
        this.compose =
                new ComposeStage(
                        new ComposeStage.Dependencies(
                                settings,
                                drawing,
                                collaborators.audio(),
                                counters,
                                collaborators.listener(),
                                collaborators.nanoTime()),
                        queue,
                        new ProgramWriter(collaborators.program()));
        this.decoder =
                Thread.ofPlatform()
                        .name("decode-" + settings.stream())
                        .unstarted(() -> run(decode::run));
        this.composer =
                Thread.ofPlatform()
                        .name("compose-" + settings.stream())
                        .unstarted(() -> run(compose::run));
    }

    /**
     * From a session's first media on. The program must have been taken over, so that nothing of
     * the source has been seen.
     *
     * @param source the reading end, closed by the compositor
     */
    public static Compositor start(
            Subscription source, CompositorSettings settings, Collaborators collaborators) {
        return started(new Compositor(source, /* joining= */ false, settings, collaborators));
    }

    /**
     * Into a running session: takes the program over when it has decoded what came last, behind a
     * discontinuity.
     *
     * @param source a new reading end, closed by the compositor
     */
    public static Compositor join(
            Subscription source, CompositorSettings settings, Collaborators collaborators) {
        return started(new Compositor(source, /* joining= */ true, settings, collaborators));
    }

    private static Compositor started(Compositor compositor) {
        compositor.collaborators.counters().started();
        compositor.decoder.start();
        compositor.composer.start();
        return compositor;
    }

    /** From the next frame on, the lowest first; an empty list shows the frame as it is. */
    public void layers(List<OverlayLayer> layers) {
        drawing.layers(layers);
    }

    /** Offers frames as viewers see them, on the composing thread, until it is removed. */
    public void addTap(FrameTap tap) {
        drawing.addTap(tap);
    }

    public void removeTap(FrameTap tap) {
        drawing.removeTap(tap);
    }

    /** Presentation time of the newest frame composed; {@link Long#MIN_VALUE} before the first. */
    public long newestPtsUs() {
        return compose.newestPtsUs();
    }

    /** Whether it has not ended, nor failed. */
    public boolean isRunning() {
        return ended.getCount() > 0;
    }

    /** Stops at once and passes the source on again, where that has not ended. Idempotent. */
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

    /** One of the two halves. */
    @FunctionalInterface
    private interface Half {
        void run() throws InterruptedException;
    }

    private void run(Half half) {
        boolean finished = false;
        try {
            half.run();
            finished = true;
        } catch (InterruptedException _) {
            // Closed, or the other half has failed.
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            halfEnded(finished);
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

    /** The last half to end decides what becomes of the program. */
    private void halfEnded(boolean finished) {
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
            collaborators.counters().ended();
            if (finished && !closed && failed == null && decode.hasTakenOver()) {
                collaborators.program().end();
            } else {
                collaborators.program().giveBack();
            }
            if (failed != null) {
                collaborators.counters().failed();
                collaborators.listener().failed(failed);
            }
            collaborators.listener().ended();
        } finally {
            ended.countDown();
        }
    }
}
