package touchline.api.home;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.storage.StorageException;

/**
 * Repeats a step on a virtual thread: when it is woken, after a pause, and after growing pauses
 * while it fails. Any thread starts, wakes and closes it.
 */
final class DrainingLoop {
    private static final Logger log = LoggerFactory.getLogger(DrainingLoop.class);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    private final Duration pause;
    private final Step step;
    private final Consumer<Exception> onFailure;
    private final Semaphore wanted = new Semaphore(0);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;

    /** What the store answered last, if that was a failure. Volatile: written by the loop. */
    private volatile @Nullable String failure;

    /** Whether a step follows the end. Volatile: written by the thread that closes. */
    private volatile boolean draining;

    /** Work that blocks. */
    @FunctionalInterface
    interface Step {
        /** Returns false if there is nothing more to do for good. */
        boolean run() throws IOException, InterruptedException;
    }

    /**
     * @param name of its thread
     * @param onFailure called by its thread
     */
    DrainingLoop(String name, Duration pause, Step step, Consumer<Exception> onFailure) {
        this.pause = pause;
        this.step = step;
        this.onFailure = onFailure;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void wake() {
        wanted.release();
    }

    /** The step in progress is the last one. */
    void stop() {
        stopping.countDown();
        wake();
    }

    boolean isStopping() {
        return stopping.getCount() == 0;
    }

    boolean hasEnded() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** Why the store has refused the last step; empty if it has not. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** One more step is the last one. */
    void drain() {
        draining = true;
        stop();
    }

    /**
     * Waits for the end, and ends the step in progress when the time is over.
     *
     * @param atMost to wait
     */
    void close(Duration atMost) {
        stop();
        try {
            if (thread.getState() == Thread.State.NEW || thread.join(atMost)) {
                return;
            }
            thread.interrupt();
            if (!thread.join(Duration.ofSeconds(2))) {
                log.warn("{} does not end", thread.getName());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Duration wait = pause;
        try {
            while (true) {
                boolean last = isStopping();
                if (last && !draining) {
                    return;
                }
                try {
                    if (!step.run() || last) {
                        return;
                    }
                    failure = null;
                    wait = pause;
                    boolean _ = wanted.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
                    wanted.drainPermits();
                } catch (IOException | RuntimeException e) {
                    if (isStopping()) {
                        return;
                    }
                    failure = e instanceof StorageException ? "" + e.getMessage() : null;
                    onFailure.accept(e);
                    boolean _ = stopping.await(wait.toMillis(), TimeUnit.MILLISECONDS);
                    wait = longer(wait);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            failure = null;
        }
    }

    private static Duration longer(Duration before) {
        Duration twice = before.multipliedBy(2);
        return twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
    }
}
