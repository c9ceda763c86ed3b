package touchline.api.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic work of a node, on a thread of its own until it is closed. A task that fails is
 * logged once, until it succeeds again; the others go on.
 */
public final class ClusterLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClusterLoop.class);
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final Duration pause;
    private final List<Task> tasks;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().daemon().name("cluster").unstarted(this::run);

    /** One kind of work; its state belongs to the loop's thread. */
    public static final class Task {
        private final String name;
        private final Runnable work;
        private boolean failed;

        public Task(String name, Runnable work) {
            this.name = name;
            this.work = work;
        }

        private void run() {
            try {
                work.run();
                failed = false;
            } catch (RuntimeException e) {
                if (!failed) {
                    log.warn("cluster: {} failed, and is tried again: {}", name, e.getMessage());
                    log.debug("cluster", e);
                }
                failed = true;
            } catch (Error e) {
                log.error("cluster: {} failed, and is tried again", name, e);
            }
        }
    }

    public ClusterLoop(Duration pause, List<Task> tasks) {
        this.pause = pause;
        this.tasks = List.copyOf(tasks);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            do {
                tasks.forEach(Task::run);
            } while (!stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits a moment for the work in progress. */
    @Override
    public void close() {
        stopping.countDown();
        try {
            boolean _ = thread.join(CLOSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
