package touchline.media.concurrent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of each key one after another, in the order of their submission. Different keys
 * run side by side. A key has a virtual thread while it has tasks.
 *
 * <p>A task that throws an exception or an {@code Error} is logged. The next task of its key runs.
 * Any thread.
 *
 * @param <K> a value with {@code equals} and {@code hashCode}; its text names the thread
 */
public final class KeyedSerialExecutor<K> {
    private static final Logger log = LoggerFactory.getLogger(KeyedSerialExecutor.class);

    private final String name;
    private final int maxWaiting;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();

    /** The queue of each key that has a thread. */
    @GuardedBy("lock")
    private final Map<K, TaskQueue> queues = new HashMap<>();

    @GuardedBy("lock")
    private boolean stopped;

    /** Work that may block. */
    @FunctionalInterface
    public interface Task {
        /**
         * @throws InterruptedException after {@link KeyedSerialExecutor#close}
         */
        void run() throws InterruptedException;
    }

    /** Fields are guarded by the executor's lock. */
    private static final class TaskQueue {
        private final ArrayDeque<Task> waiting = new ArrayDeque<>();
        private final Thread thread;

        TaskQueue(Thread thread) {
            this.thread = thread;
        }
    }

    /**
     * @param name of the threads, with the key behind it
     * @param maxWaiting tasks of one key that may wait behind the one that runs. With 1, a task
     *     that handles all pending work needs no second submission.
     */
    public KeyedSerialExecutor(String name, int maxWaiting) {
        if (maxWaiting < 1) {
            throw new IllegalArgumentException("maxWaiting: " + maxWaiting + " (> 0)");
        }
        this.name = name;
        this.maxWaiting = maxWaiting;
    }

    /**
     * Adds a task behind the others of its key. Does not block.
     *
     * @return false if the key's queue is full or the executor is stopped: the task never runs
     */
    public boolean execute(K key, Task task) {
        lock.lock();
        try {
            TaskQueue queue = queues.get(key);
            if (stopped || (queue != null && queue.waiting.size() >= maxWaiting)) {
                return false;
            }
            if (queue == null) {
                queue = start(key);
            }
            queue.waiting.add(task);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The new thread waits for the lock, which the caller holds. */
    @GuardedBy("lock")
    private TaskQueue start(K key) {
        TaskQueue queue =
                new TaskQueue(Thread.ofVirtual().name(name + key).unstarted(() -> drain(key)));
        queue.thread.start();
        queues.put(key, queue);
        return queue;
    }

    private void drain(K key) {
        boolean drained = false;
        try {
            for (Task task = next(key); task != null; task = next(key)) {
                run(key, task);
            }
            drained = true;
        } finally {
            if (!drained) {
                // Logging itself failed, for example out of memory: the next submission starts a
                // new thread.
                remove(key);
            }
        }
    }

    private @Nullable Task next(K key) {
        lock.lock();
        try {
            TaskQueue queue = queues.get(key);
            Task next = queue == null ? null : queue.waiting.poll();
            if (next == null) {
                queues.remove(key);
                idle.signalAll();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void remove(K key) {
        lock.lock();
        try {
            queues.remove(key);
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run(K key, Task task) {
        try {
            task.run();
        } catch (InterruptedException _) {
            log.debug("{}{}: interrupted", name, key);
        } catch (RuntimeException | Error e) {
            log.error("{}{}: a task failed", name, key, e);
        }
    }

    /** Accepts no more tasks. Those that were accepted run. */
    public void stop() {
        lock.lock();
        try {
            stopped = true;
        } finally {
            lock.unlock();
        }
    }

    public boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until no task runs or waits.
     *
     * @return false where tasks are left after this time
     */
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = limit.toNanos();
            while (!queues.isEmpty() && leftNs > 0) {
                leftNs = idle.awaitNanos(leftNs);
            }
            return queues.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops, waits for the tasks, then drops those that wait, interrupts those that run, and waits
     * once more.
     *
     * @param limit of each wait
     */
    public void close(Duration limit) {
        stop();
        try {
            if (!awaitIdle(limit)) {
                interrupt();
                boolean _ = awaitIdle(limit);
            }
        } catch (InterruptedException _) {
            interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void interrupt() {
        lock.lock();
        try {
            for (TaskQueue queue : queues.values()) {
                queue.waiting.clear();
                queue.thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
