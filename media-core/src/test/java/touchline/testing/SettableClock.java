package touchline.testing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that changes only through the test: a wall clock, a nanosecond counter and a timer. Timer
 * tasks run in the order of their times, on the thread that calls {@link #advance}. Any thread.
 */
public final class SettableClock implements InstantSource {
    private final ReentrantLock lock = new ReentrantLock();
    private final Instant start;
    private final SettableTimer timer = new SettableTimer(this::nanoTime);

    @GuardedBy("lock")
    private long elapsedNs;

    public SettableClock(Instant start) {
        this.start = start;
    }

    /** Starts at a fixed time in 2026. */
    public SettableClock() {
        this(Instant.parse("2026-11-20T12:00:00Z"));
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime());
    }

    /** Nanoseconds since the start; pass it as a {@code LongSupplier}. */
    public long nanoTime() {
        lock.lock();
        try {
            return elapsedNs;
        } finally {
            lock.unlock();
        }
    }

    /** Its tasks run inside {@link #advance} only. */
    public ScheduledExecutorService timer() {
        return timer;
    }

    /** Returns the number of waiting tasks. */
    public int waitingTasks() {
        return timer.waiting();
    }

    /** Advances time and runs each task when it becomes due. */
    public void advance(Duration by) {
        long until = nanoTime() + by.toNanos();
        Optional<SettableTimer.Task<?>> due = timer.pollUntil(until);
        while (due.isPresent()) {
            set(Math.max(nanoTime(), due.get().dueNs()));
            due.get().run();
            due = timer.pollUntil(until);
        }
        set(until);
    }

    private void set(long ns) {
        lock.lock();
        try {
            elapsedNs = ns;
        } finally {
            lock.unlock();
        }
    }
}
