package touchline.api.home;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.storage.StorageException;

/**
 * Repeats uploads on a virtual thread of its own until it is closed: after a pause, at once where
 * there is more to do, and after failures with pauses that grow. One thread starts and closes it.
 */
final class RetryLoop {
    private static final Logger log = LoggerFactory.getLogger(RetryLoop.class);
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);
    private static final Duration END = Duration.ofSeconds(5);

    private final String what;
    private final Duration pause;
    private final Turn turn;
    private final Consumer<Boolean> reached;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;

    // Used by the thread only.
    private boolean away;

    /** One look at what there is to do. */
    @FunctionalInterface
    interface Turn {
        /** True if there may be more to do at once. */
        boolean run() throws IOException, InterruptedException;
    }

    /**
     * @param name of the thread
     * @param what is uploaded, in the log
     * @param pause between two turns
     * @param reached receives whether S3 took what there was to upload
     */
    RetryLoop(String name, String what, Duration pause, Turn turn, Consumer<Boolean> reached) {
        this.what = what;
        this.pause = pause;
        this.turn = turn;
        this.reached = reached;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** There is something to do: ends a pause, but not one after a failure. Any thread. */
    void nudge() {
        wake.release();
    }

    /** Ends uploads in progress: the next start begins these files anew. */
    void close() {
        stopping.countDown();
        wake.release();
        thread.interrupt();
        try {
            if (!thread.join(END)) {
                log.warn("an upload does not end");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Duration wait = pause;
        try {
            while (!isStopping()) {
                boolean failed = false;
                try {
                    wait = turn.run() ? Duration.ZERO : pause;
                    back();
                } catch (StorageException e) {
                    away(e);
                    wait = longer(wait);
                    failed = true;
                } catch (IOException | RuntimeException e) {
                    log.warn("uploads failed, will be tried again: {}", e.toString());
                    wait = longer(wait);
                    failed = true;
                }
                await(wait, failed);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void await(Duration wait, boolean failed) throws InterruptedException {
        boolean _ =
                failed
                        ? stopping.await(wait.toMillis(), TimeUnit.MILLISECONDS)
                        : wake.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
        wake.drainPermits();
    }

    private void back() {
        if (away) {
            log.info("S3 takes {} again", what);
        }
        away = false;
        reached.accept(true);
    }

    private void away(StorageException failure) {
        if (isStopping()) {
            return;
        }
        if (!away) {
            log.warn("S3 takes no {}, they wait here: {}", what, failure.getMessage());
        }
        away = true;
        reached.accept(false);
    }

    private Duration longer(Duration before) {
        Duration twice = before.compareTo(pause) < 0 ? pause : before.multipliedBy(2);
        return twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
    }
}
