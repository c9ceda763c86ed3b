package touchline.api.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import touchline.moderation.ModerationCounters;
import touchline.moderation.ModerationTask;

/** How many sampled frames of a session are still to be reported. Any thread. */
final class PendingReports {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Reported, or forgotten by a stop. */
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

    /** The task was stopped: what it had under way will not be reported. */
    void forget(ModerationTask task) {
        lock.lock();
        try {
            settled = Math.max(settled, taken(task));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing is under way, for a while. */
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
