package touchline.api.maintenance;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task at once, and again after each pause, on its own virtual thread until it is closed. A
 * failed run is logged, and the next one follows after the usual pause. Any thread starts and
 * closes it; {@link #close} does not wait for a run in progress.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PeriodicTask.class);

    private final String name;
    private final Duration pause;
    private final Task task;
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** One run. It may throw: the loop continues. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    /**
     * @param name of the thread, and in the log
     * @param pause from the end of one run to the start of the next
     */
    public PeriodicTask(String name, Duration pause, Task task) {
        this.name = name;
        this.pause = pause;
        this.task = task;
    }

    public void start() {
        Thread.ofVirtual().name(name).start(this::run);
    }

    /** Whether a long run should return early. */
    boolean isStopping() {
        return stopping.getCount() == 0;
    }

    @Override
    public void close() {
        stopping.countDown();
    }

    private void run() {
        try {
            do {
                try {
                    task.run();
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    log.warn("{} failed, next run in {} s", name, pause.toSeconds(), e);
                } catch (Error e) {
                    log.error("{} failed, next run in {} s", name, pause.toSeconds(), e);
                }
            } while (!stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
