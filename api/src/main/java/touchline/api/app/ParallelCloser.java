package touchline.api.app;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes independent objects concurrently: each may need seconds. */
final class ParallelCloser {
    private static final Logger log = LoggerFactory.getLogger(ParallelCloser.class);

    private ParallelCloser() {}

    /** Returns when all are closed. A failure of one is logged and does not affect the others. */
    static void close(List<? extends AutoCloseable> dependencies) {
        try (ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor()) {
            dependencies.forEach(room -> closing.execute(() -> close(room)));
        }
    }

    private static void close(AutoCloseable room) {
        try {
            room.close();
        } catch (Exception e) {
            log.warn("closing {}: {}", room.getClass().getSimpleName(), e.toString());
        }
    }
}
