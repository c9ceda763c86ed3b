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

    /** One run of a job. The next run of the same job may begin when the result is stored. */
    final class Run {
        private final String id;

        /** While it is inside its handler; guarded by the lock. */
        private @Nullable Thread thread;

        /** A cancellation that its end has not met; guarded by the lock. */
        private boolean canceled;

        private Run(String id) {
            this.id = id;
        }

        /** Performs on this thread. An interrupt without a cancellation counts as a stop. */
        Ended perform(Work work) {
            Ended ended = new Ended.Stopped();
            try {
                if (enter()) {
                    ended = new Ended.Returned(work.run(this::isEnding));
                }
            } catch (InterruptedException _) {
                // The result says so.
            } finally {
                ended = leave(ended);
            }
            return ended;
        }

        /**
         * The result is stored, or cannot be.
         *
         * @return whether a cancellation has come since the end of {@link #perform}
         */
        boolean finish() {
            lock.lock();
            try {
                runs.remove(id, this);
                return canceled;
            } finally {
                lock.unlock();
            }
        }

        /** False where the job must not begin. */
        private boolean enter() {
            lock.lock();
            try {
                runs.put(id, this);
                canceled = requests.remove(id) != null;
                boolean begins = !stopping && !canceled;
                thread = begins ? Thread.currentThread() : null;
                return begins;
            } finally {
                lock.unlock();
            }
        }

        private boolean isEnding() {
            lock.lock();
            try {
                return stopping || canceled;
            } finally {
                lock.unlock();
            }
        }

        private Ended leave(Ended ended) {
            lock.lock();
            try {
                thread = null;
                boolean wasCanceled = canceled;
                canceled = false;
                return wasCanceled ? new Ended.Canceled() : ended;
            } finally {
                lock.unlock();
                // The database calls that follow must not see this interrupt; no other comes.
                boolean _ = Thread.interrupted();
            }
        }

        private void interrupt() {
            Thread inside = thread;
            if (inside != null) {
                inside.interrupt();
            }
        }
    }

    /** A run that {@link Run#perform} begins. */
    Run open(String id) {
        return new Run(id);
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
