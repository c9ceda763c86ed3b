package touchline.api.jobs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs of jobs of one kind, each from its begin until its result is stored, so that they can be
 * canceled. A run is interrupted inside its handler only, never while the library stores the
 * result. Any thread.
 */
final class RunningJobs {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Run> runs = new HashMap<>();

    /** Cancellations of jobs that have no run yet, by the one that asked for each. */
    @GuardedBy("lock")
    private final Map<String, Set<Object>> requests = new HashMap<>();

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

    /** Guarded by the lock. */
    private static final class Run {
        /** While it is inside its handler. */
        private @Nullable Thread thread;

        /** A cancellation that its end has not met. */
        private boolean canceled;

        private void interrupt() {
            Thread inside = thread;
            if (inside != null) {
                inside.interrupt();
            }
        }
    }

    /** Runs on this thread. An interrupt without a cancellation counts as a stop. */
    Ended run(String id, Work work) {
        Run run = new Run();
        Ended ended = new Ended.Stopped();
        try {
            if (enter(id, run)) {
                ended = new Ended.Returned(work.run(() -> isEnding(run)));
            }
        } catch (InterruptedException _) {
            // The result says so.
        } finally {
            ended = leave(run, ended);
        }
        return ended;
    }

    /** False where the job must not begin. */
    private boolean enter(String id, Run run) {
        lock.lock();
        try {
            runs.put(id, run);
            run.canceled = requests.remove(id) != null;
            boolean begins = !stopping && !run.canceled;
            run.thread = begins ? Thread.currentThread() : null;
            return begins;
        } finally {
            lock.unlock();
        }
    }

    private boolean isEnding(Run run) {
        lock.lock();
        try {
            return stopping || run.canceled;
        } finally {
            lock.unlock();
        }
    }

    private Ended leave(Run run, Ended ended) {
        lock.lock();
        try {
            run.thread = null;
            boolean canceled = run.canceled;
            run.canceled = false;
            return canceled ? new Ended.Canceled() : ended;
        } finally {
            lock.unlock();
            // No interrupt comes any more. The database calls that follow must not see this one.
            boolean _ = Thread.interrupted();
        }
    }

    /**
     * The result of a run is stored, or cannot be.
     *
     * @return whether a cancellation has come since the run's end
     */
    boolean finish(String id) {
        lock.lock();
        try {
            Run run = runs.remove(id);
            return run != null && run.canceled;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Cancels a run.
     *
     * @return false where there is none
     */
    boolean cancel(String id) {
        lock.lock();
        try {
            Run run = runs.get(id);
            if (run == null) {
                return false;
            }
            run.canceled = true;
            run.interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next run of this job does not begin.
     *
     * @param by whose request it is
     */
    void request(String id, Object by) {
        lock.lock();
        try {
            requests.computeIfAbsent(id, _ -> new HashSet<>()).add(by);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a request back.
     *
     * @return false where a run has met it
     */
    boolean withdraw(String id, Object by) {
        lock.lock();
        try {
            Set<Object> all = requests.get(id);
            if (all == null || !all.remove(by)) {
                return false;
            }
            if (all.isEmpty()) {
                requests.remove(id);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            stopping = true;
            runs.values().forEach(Run::interrupt);
        } finally {
            lock.unlock();
        }
    }
}
