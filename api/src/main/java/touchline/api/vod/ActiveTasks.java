package touchline.api.vod;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** The tasks that run now, so that they can be canceled. Any thread. */
final class ActiveTasks {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Active> active = new HashMap<>();

    /** Work on one task, by one thread. */
    final class Active implements AutoCloseable {
        private final String task;
        private final Thread thread;

        private final AtomicBoolean canceled = new AtomicBoolean();

        private Active(String task, Thread thread) {
            this.task = task;
            this.thread = thread;
        }

        boolean isCanceled() {
            return canceled.get();
        }

        /** After this no interrupt of the task comes. A pending one is cleared. */
        @Override
        public void close() {
            lock.lock();
            try {
                active.remove(task);
                if (canceled.get()) {
                    boolean _ = Thread.interrupted();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Begins a task on this thread, which closes the result. */
    Active begin(String task) {
        Active begun = new Active(task, Thread.currentThread());
        lock.lock();
        try {
            active.put(task, begun);
        } finally {
            lock.unlock();
        }
        return begun;
    }

    /** Interrupts a task if it runs. */
    void cancel(String task) {
        lock.lock();
        try {
            Active found = active.get(task);
            if (found != null) {
                found.canceled.set(true);
                found.thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return active.size();
        } finally {
            lock.unlock();
        }
    }
}
