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
 * What an endpoint waits for: streams whose first event has a retry to come, and the next of what
 * is sent apart. The earliest of these times is arranged with the timer. Any thread.
 */
final class RetryTimes {
    private static final Logger log = LoggerFactory.getLogger(RetryTimes.class);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final String endpoint;
    private final RetryTimer timer;
    private final ReentrantLock lock = new ReentrantLock();

    /** Taken around arranging, before the other: the last word is the newest. */
    private final ReentrantLock arranging = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Instant> blocked = new HashMap<>();

    @GuardedBy("lock")
    private @Nullable Instant apart;

    /** What the timer was told last, until it has gone off. */
    @GuardedBy("lock")
    private @Nullable Instant told;

    @GuardedBy("lock")
    private boolean stopped;

    RetryTimes(String endpoint, RetryTimer timer) {
        this.endpoint = endpoint;
        this.timer = timer;
    }

    /** Whether a stream still waits; from its time on it does not. */
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

    /** When the next is due of what is sent apart. */
    void apart(Optional<Instant> next) {
        lock.lock();
        try {
            apart = next.orElse(null);
        } finally {
            lock.unlock();
        }
    }

    /** The timer has gone off: the streams whose time has come. */
    List<String> reached(Instant now) {
        List<String> ready = new ArrayList<>();
        lock.lock();
        try {
            told = null;
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

    /** Has the timer go off at the earliest time that anything waits for. Blocks. */
    void arrange() throws InterruptedException {
        arranging.lockInterruptibly();
        try {
            Optional<Instant> next = news();
            while (next.isPresent() && !arranged(next.get())) {
                Thread.sleep(PAUSE);
                next = news();
            }
        } finally {
            arranging.unlock();
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

    /** The earliest time, unless the timer knows it. */
    private Optional<Instant> news() {
        lock.lock();
        try {
            Instant earliest = apart;
            for (Instant until : blocked.values()) {
                earliest = earliest == null || until.isBefore(earliest) ? until : earliest;
            }
            boolean known = stopped || (earliest != null && earliest.equals(told));
            return Optional.ofNullable(known ? null : earliest);
        } finally {
            lock.unlock();
        }
    }

    private boolean arranged(Instant at) {
        try {
            if (!timer.arrange(endpoint, at)) {
                return false;
            }
        } catch (RuntimeException e) {
            log.warn("webhook={} its retry is not arranged yet: {}", endpoint, e.getMessage());
            return false;
        }
        lock.lock();
        try {
            told = at;
        } finally {
            lock.unlock();
        }
        return true;
    }
}
