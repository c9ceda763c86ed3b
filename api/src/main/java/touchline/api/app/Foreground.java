package touchline.api.app;

import ch.qos.logback.classic.LoggerContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a server in the foreground until a signal (SIGTERM, SIGINT, SIGHUP), then closes it and ends
 * with exit code 0; the JVM's default would be 143. If the server fails to close, or not in time,
 * the code is 1.
 *
 * <p>Used once, by the main thread.
 */
final class Foreground {
    /** Leaves one of the ten seconds that a shutdown may take. */
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(9);

    private static final Logger log = LoggerFactory.getLogger(Foreground.class);

    private final Duration closeLimit;
    private final CompletableFuture<RunningServer> server = new CompletableFuture<>();

    Foreground(Duration closeLimit) {
        this.closeLimit = closeLimit;
    }

    /** Starts the server and blocks. Returns only by the exception of a failed start. */
    int run(Supplier<? extends RunningServer> start) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler(Foreground::logUncaught);
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "shutdown"));
        try {
            server.complete(start.get());
        } finally {
            // No effect after a successful start; after a failed one it releases the hook.
            server.cancel(false);
        }
        Thread.currentThread().join();
        return 0;
    }

    /** An exception that ends a thread is a bug, or memory is short. */
    private static void logUncaught(Thread thread, Throwable failure) {
        log.error("thread {} ended by an uncaught exception", thread.getName(), failure);
    }

    /** The shutdown hook. A signal during the start waits for it, within the same limit. */
    private void end() {
        if (server.isCancelled()) {
            return;
        }
        log.info("received a signal, closing");
        int code = closeWithinLimit() ? 0 : 1;
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            logback.stop();
        }
        Runtime.getRuntime().halt(code);
    }

    private boolean closeWithinLimit() {
        FutureTask<Void> closing = new FutureTask<>(() -> server.join().close(), null);
        Thread.ofPlatform().daemon().name("close").start(closing);
        try {
            closing.get(closeLimit.toMillis(), TimeUnit.MILLISECONDS);
            log.info("closed");
            return true;
        } catch (ExecutionException e) {
            log.error("closing failed", e.getCause());
        } catch (TimeoutException _) {
            log.error("not closed after {} ms, ending anyway", closeLimit.toMillis());
        } catch (InterruptedException _) {
            log.error("interrupted while closing, ending anyway");
        }
        return false;
    }
}
