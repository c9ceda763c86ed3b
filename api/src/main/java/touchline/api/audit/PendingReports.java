package touchline.api.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import touchline.moderation.ModerationCounters;
import touchline.moderation.ModerationTask;

/** Counts a session's sampled frames without a report. Any thread. */
final class PendingReports {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Number of frames that were reported, or dropped by a stop. */
    @GuardedBy("lock")
    private long settled;

    /** One frame is reported. */
    void reported() {
        lock.lock();
        try {
            settled++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Drops the frames of a stopped task: they will not be reported. */
    void drop(ModerationTask task) {
        lock.lock();
        try {
            settled = Math.max(settled, taken(task));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a limited time until all frames are reported. */
    void await(ModerationTask task, Duration atMost) {
        lock.lock();
        try {
            long leftNs = atMost.toNanos();
            while (settled < taken(task) && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private static long taken(ModerationTask task) {
        ModerationCounters counters = task.counters();
        return counters.sampled() - counters.dropped();
    }
}
