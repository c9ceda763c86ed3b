package touchline.api.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The times an endpoint waits for: the retry of each blocked stream, and the next delivery that is
 * sent out of order. The timer is set to the earliest of them. Any thread.
 */
final class RetryTimes {
    private static final Logger log = LoggerFactory.getLogger(RetryTimes.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    private final String endpoint;
    private final RetryTimer timer;
    private final Sleeper sleeper;
    private final ReentrantLock lock = new ReentrantLock();

    /** Held while the timer is set; taken before the other lock. So the newest time wins. */
    private final ReentrantLock arranging = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Instant> blocked = new HashMap<>();

    @GuardedBy("lock")
    private @Nullable Instant unordered;

    /** The time the timer is set to; null after it has fired. */
    @GuardedBy("lock")
    private @Nullable Instant arranged;

    @GuardedBy("lock")
    private boolean stopped;

    /** Port: pauses the current thread. */
    @FunctionalInterface
    interface Sleeper {
        void sleep(Duration time) throws InterruptedException;
    }

    RetryTimes(String endpoint, RetryTimer timer, Sleeper sleeper) {
        this.endpoint = endpoint;
        this.timer = timer;
        this.sleeper = sleeper;
    }

    /** Whether the stream waits for its retry. Unblocks it when that is due. */
    boolean isBlocked(String stream, Instant now) {
        lock.lock();
        try {
            Instant until = blocked.get(stream);
            if (until != null && now.isBefore(until)) {
                return true;
            }
            blocked.remove(stream);
            return false;
        } finally {
            lock.unlock();
        }
    }

    void block(String stream, Instant until) {
        lock.lock();
        try {
            blocked.put(stream, until);
        } finally {
            lock.unlock();
        }
    }

    /** Sets the time of the next delivery that is sent out of order. */
    void unordered(Optional<Instant> next) {
        lock.lock();
        try {
            unordered = next.orElse(null);
        } finally {
            lock.unlock();
        }
    }

    /** The timer has fired. Returns the streams whose retry is due. */
    List<String> reached(Instant now) {
        List<String> ready = new ArrayList<>();
        lock.lock();
        try {
            arranged = null;
            blocked.forEach(
                    (stream, until) -> {
                        if (!now.isBefore(until)) {
                            ready.add(stream);
                        }
                    });
        } finally {
            lock.unlock();
        }
        return ready;
    }

    /**
     * Sets the timer to the earliest time. Blocks. While the database fails it tries again with
     * growing pauses.
     */
    void arrange() throws InterruptedException {
        arranging.lockInterruptibly();
        try {
            int failures = 0;
            Duration pause = FIRST_PAUSE;
            Optional<Instant> next = unarranged();
            while (next.isPresent()) {
                Optional<RuntimeException> failure = tryArrange(next.get());
                if (failure.isPresent()) {
                    failures++;
                    logFailure(failures, failure.get());
                    sleeper.sleep(pause);
                    pause = shorter(pause.multipliedBy(2), MAX_PAUSE);
                }
                next = unarranged();
            }
            if (failures > 0) {
                log.info("webhook={} retry timer set after {} failures", endpoint, failures);
            }
        } finally {
            arranging.unlock();
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** At the first failure, and whenever their number has doubled. */
    private void logFailure(int failures, RuntimeException failure) {
        if (Integer.bitCount(failures) == 1) {
            log.warn(
                    "webhook={} retry timer not set, failures={}; tried again: {}",
                    endpoint,
                    failures,
                    failure.getMessage());
        }
    }

    /** Nothing is arranged any more. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
        } finally {
            lock.unlock();
        }
    }

    /** The earliest time; empty where the timer is set to it. */
    private Optional<Instant> unarranged() {
        lock.lock();
        try {
            Instant earliest = unordered;
            for (Instant until : blocked.values()) {
                earliest = earliest == null || until.isBefore(earliest) ? until : earliest;
            }
            boolean known = stopped || (earliest != null && earliest.equals(arranged));
            return Optional.ofNullable(known ? null : earliest);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the failure, if any. A timer that fires at this moment is set after a short pause.
     */
    private Optional<RuntimeException> tryArrange(Instant at) throws InterruptedException {
        try {
            if (!timer.arrange(endpoint, at)) {
                sleeper.sleep(FIRST_PAUSE);
                return Optional.empty();
            }
        } catch (RuntimeException e) {
            return Optional.of(e);
        }
        lock.lock();
        try {
            arranged = at;
        } finally {
            lock.unlock();
        }
        return Optional.empty();
    }
}
