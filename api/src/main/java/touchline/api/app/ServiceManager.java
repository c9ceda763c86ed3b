package touchline.api.app;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports readiness to the service manager, and that the server works (sd_notify(3)). Without
 * {@code NOTIFY_SOCKET} it does nothing. A message that cannot be sent is logged once.
 *
 * <p>The service manager restarts a server that does not send {@code WATCHDOG=1} for {@code
 * WATCHDOG_USEC}. Each of these messages is sent by a new virtual thread: it proves that the JVM
 * runs and that virtual threads are scheduled, on which the API, the packager and the recorder run.
 * It does not depend on the network, the disk or the database, whose failures a restart does not
 * end. Any thread.
 */
final class ServiceManager {
    private static final Logger log = LoggerFactory.getLogger(ServiceManager.class);

    /** Sends one message. */
    @FunctionalInterface
    interface Channel {
        void send(String message) throws IOException;
    }

    /** A manager that is not there. */
    static final ServiceManager NONE = new ServiceManager(_ -> {}, Optional.empty());

    private final Channel channel;
    private final Optional<Duration> watchdog;
    private final AtomicBoolean failed = new AtomicBoolean();

    /**
     * @param watchdog the manager's limit between two messages; empty: it does not watch
     */
    ServiceManager(Channel channel, Optional<Duration> watchdog) {
        this.channel = channel;
        this.watchdog = watchdog;
    }

    /** The manager of this process, by its environment. */
    static ServiceManager ofThisProcess() {
        return of(System.getenv(), ProcessHandle.current().pid());
    }

    /** The manager that the environment names. */
    static ServiceManager of(Map<String, String> environment, long processId) {
        String name = environment.getOrDefault("NOTIFY_SOCKET", "");
        if (name.isEmpty()) {
            return NONE;
        }
        try {
            return new ServiceManager(
                    new NotifySocket(name)::send, watchdog(environment, processId));
        } catch (IllegalArgumentException e) {
            log.warn("the service manager receives nothing: {}", e.getMessage());
            return NONE;
        }
    }

    /** The limit, if it is meant for this process (sd_watchdog_enabled(3)). */
    static Optional<Duration> watchdog(Map<String, String> environment, long processId) {
        String owner = environment.getOrDefault("WATCHDOG_PID", "");
        String limit = environment.getOrDefault("WATCHDOG_USEC", "");
        if (limit.isEmpty() || !(owner.isEmpty() || owner.equals(Long.toString(processId)))) {
            return Optional.empty();
        }
        try {
            long us = Long.parseLong(limit);
            return us > 0 ? Optional.of(Duration.ofNanos(us * 1_000)) : Optional.empty();
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(
                    "WATCHDOG_USEC: %s (expected: microseconds)".formatted(limit));
        }
    }

    /** All listeners are bound. The watchdog's messages start. Called once. */
    void ready() {
        send("READY=1\nSTATUS=serving");
        watchdog.ifPresent(
                limit ->
                        Thread.ofPlatform()
                                .daemon()
                                .name("service-watchdog")
                                .start(() -> pulse(limit.dividedBy(2))));
    }

    /** The server closes. The watchdog's messages go on until the process ends. */
    void stopping() {
        send("STOPPING=1\nSTATUS=closing");
    }

    private void pulse(Duration interval) {
        try {
            while (true) {
                // Waits as long as it takes: a message that comes too late is the manager's case.
                Thread.ofVirtual().name("service-pulse").start(() -> send("WATCHDOG=1")).join();
                Thread.sleep(interval);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(String message) {
        try {
            channel.send(message);
        } catch (IOException | IllegalStateException e) {
            if (failed.compareAndSet(false, true)) {
                log.warn("the service manager receives nothing: {}", e.getMessage());
            }
        }
    }
}
