package touchline.api.jobs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import touchline.api.domain.JobOutcome;

/**
 * Jobs of a kind that run now, so that they can be interrupted: only while their handler has the
 * thread, never while the library stores what became of them. Any thread.
 */
final class RunningJobs {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Thread> threads = new HashMap<>();

    /** Canceled: those that run, and those that are about to. */
    @GuardedBy("lock")
    private final Set<String> canceled = new HashSet<>();

    @GuardedBy("lock")
    private boolean stopping;

    /** How a run came to its end. */
    sealed interface Ended {
        record Returned(JobOutcome outcome) implements Ended {}

        record Canceled() implements Ended {}

        /** The server stops; the job is not done. */
        record Stopped() implements Ended {}
    }

    /** What is done with a job. */
    @FunctionalInterface
    interface Work {
        /**
         * @param ending whether it should come to its end
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

    /** Runs on this thread; a handler that was interrupted for no reason is taken as stopped. */
    Ended run(String id, Work work) {
        if (!enter(id)) {
            return leave(id, new Ended.Stopped());
        }
        Ended ended = new Ended.Stopped();
        try {
            ended = new Ended.Returned(work.run(() -> isEnding(id)));
        } catch (InterruptedException _) {
            // Told by what is returned.
        } finally {
            ended = leave(id, ended);
        }
        return ended;
    }

    /** False where it is not to begin at all. */
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
            // Nobody interrupts any more; what follows talks to the database.
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
     * Nothing of that name runs: a later one is not canceled.
     *
     * @return false where a run has taken the word meanwhile, and ended as canceled
     */
    boolean forget(String id) {
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
