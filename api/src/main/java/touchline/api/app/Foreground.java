package touchline.api.app;

import ch.qos.logback.classic.LoggerContext;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ExitCode;

/**
 * Runs a server in the foreground until a signal (SIGTERM, SIGINT), then closes it and ends with
 * exit code 0; the JVM's default would be 143. SIGHUP ends it too, or reloads its configuration. If
 * the server fails to close, or not in time, the code is 1; if it cannot go on, for a reason that
 * it names, 2.
 *
 * <p>Used once, by the main thread.
 */
final class Foreground {
    /** Leaves one of the ten seconds that a shutdown may take. */
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(9);

    private static final Logger log = LoggerFactory.getLogger(Foreground.class);

    private final Duration closeLimit;
    private final ServiceManager manager;
    private final CompletableFuture<RunningServer> server = new CompletableFuture<>();
    private volatile boolean failed;

    Foreground(Duration closeLimit) {
        this(closeLimit, ServiceManager.ofThisProcess());
    }

    /**
     * @param manager gets a message when the server serves, and when it closes
     */
    Foreground(Duration closeLimit, ServiceManager manager) {
        this.closeLimit = closeLimit;
        this.manager = manager;
    }

    /** From now on SIGHUP reloads the configuration; one during the start does so after it. */
    Foreground reloadingAtHangup() {
        Hangup.handle(
                () -> {
                    try {
                        server.join().reload();
                    } catch (CancellationException _) {
                        log.debug("SIGHUP: the server has not started");
                    }
                });
        return this;
    }

    /**
     * Starts the server and blocks. Returns exit code 2 if the server cannot go on; the caller ends
     * the process then, which closes the server.
     */
    int run(Supplier<? extends RunningServer> start) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler(Foreground::logUncaught);
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "shutdown"));
        RunningServer started;
        try {
            started = start.get();
            server.complete(started);
            manager.ready();
        } finally {
            // No effect after a successful start; after a failed one it releases the hook.
            server.cancel(false);
        }
        log.error("{}", started.awaitFailure());
        failed = true;
        return ExitCode.USAGE;
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
        manager.stopping();
        if (!failed) {
            log.info("received a signal, closing");
        }
        int code = closeWithinLimit() ? ExitCode.OK : ExitCode.SOFTWARE;
        if (failed) {
            code = ExitCode.USAGE;
        }
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
