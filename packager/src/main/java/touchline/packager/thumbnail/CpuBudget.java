package touchline.packager.thumbnail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Limits work to a share of a core in the long run: unused time is saved up to one second's share,
 * overdrawn time is waited for. Any thread.
 */
final class CpuBudget {
    private static final long SAVED_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int WHOLE_PERCENT = 100;

    private final int percent;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition later = lock.newCondition();

    @GuardedBy("lock")
    private long creditNs = SAVED_NS;

    @GuardedBy("lock")
    private long countedNs;

    /**
     * @param percent of one core
     */
    CpuBudget(int percent, LongSupplier nanoTime) {
        this.percent = percent;
        this.nanoTime = nanoTime;
        this.countedNs = nanoTime.getAsLong();
    }

    /** Waits until time is available. */
    void await() throws InterruptedException {
        lock.lock();
        try {
            for (long waitNs = waitNs(); waitNs > 0; waitNs = waitNs()) {
                long _ = later.awaitNanos(waitNs);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Time until something is available; 0: now. */
    long waitNs() {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            creditNs = Math.min(SAVED_NS, creditNs + (now - countedNs) * percent / WHOLE_PERCENT);
            countedNs = now;
            return creditNs > 0 ? 0 : Math.ceilDiv((1 - creditNs) * WHOLE_PERCENT, percent);
        } finally {
            lock.unlock();
        }
    }

    /** Subtracts CPU time. */
    void spend(long cpuNs) {
        lock.lock();
        try {
            creditNs -= cpuNs;
        } finally {
            lock.unlock();
        }
    }
}
