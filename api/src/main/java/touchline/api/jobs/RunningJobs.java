package touchline.api.jobs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Running jobs of one kind, so that they can be interrupted. They are interrupted inside their
 * handler only, never while the library stores the result. Any thread.
 */
final class RunningJobs {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Thread> threads = new HashMap<>();

    /** Canceled jobs that run, or are about to run. */
    @GuardedBy("lock")
    private final Set<String> canceled = new HashSet<>();

    @GuardedBy("lock")
    private boolean stopping;

    /** The end of a run. */
    sealed interface Ended {
        record Returned(JobOutcome outcome) implements Ended {}

        record Canceled() implements Ended {}

        /** The server stops; the job is not done. */
        record Stopped() implements Ended {}
    }

    /** Work on one job. */
    @FunctionalInterface
    interface Work {
        /**
         * @param ending whether the work must end
         */
        JobOutcome run(BooleanSupplier ending) throws InterruptedException;
    }

    private boolean isEnding(String id) {
        lock.lock();
        try {
            return stopping || canceled.contains(id);
        } finally {
            lock.unlock();
        }
    }

    /** Runs on this thread. An interrupt without a cancellation counts as a stop. */
    Ended run(String id, Work work) {
        if (!enter(id)) {
            return leave(id, new Ended.Stopped());
        }
        Ended ended = new Ended.Stopped();
        try {
            ended = new Ended.Returned(work.run(() -> isEnding(id)));
        } catch (InterruptedException _) {
            // The result says so.
        } finally {
            ended = leave(id, ended);
        }
        return ended;
    }

    /** False where the job must not begin. */
    private boolean enter(String id) {
        lock.lock();
        try {
            if (stopping || canceled.contains(id)) {
                return false;
            }
            threads.put(id, Thread.currentThread());
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Ended leave(String id, Ended ended) {
        lock.lock();
        try {
            threads.remove(id);
            return canceled.remove(id) ? new Ended.Canceled() : ended;
        } finally {
            lock.unlock();
            // No interrupt comes any more. The database calls that follow must not see this one.
            boolean _ = Thread.interrupted();
        }
    }

    void cancel(String id) {
        lock.lock();
        try {
            canceled.add(id);
            Thread thread = threads.get(id);
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Withdraws a cancellation when no such job runs.
     *
     * @return false where a run has ended as canceled meanwhile
     */
    boolean withdrawCancellation(String id) {
        lock.lock();
        try {
            return canceled.remove(id);
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            stopping = true;
            threads.values().forEach(Thread::interrupt);
        } finally {
            lock.unlock();
        }
    }
}
