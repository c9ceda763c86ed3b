package touchline.testing;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** The timer of a {@link SettableClock}: stores tasks and runs none itself. Any thread. */
final class SettableTimer extends AbstractExecutorService implements ScheduledExecutorService {
    /** A task and its time; {@code periodNs} 0 runs once. */
    static final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
        private final SettableTimer timer;
        private final long periodNs;
        private final long dueNs;
        private final Runnable again;

        Task(SettableTimer timer, Callable<V> body, long dueNs, long periodNs, Runnable again) {
            super(body);
            this.timer = timer;
            this.dueNs = dueNs;
            this.periodNs = periodNs;
            this.again = again;
        }

        long dueNs() {
            return dueNs;
        }

        @Override
        public void run() {
            super.run();
            if (state() == State.FAILED) {
                throw new AssertionError("a timer's task failed", exceptionNow());
            }
            if (periodNs > 0 && !isCancelled()) {
                again.run();
            }
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNs - timer.nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(
                    getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final LongSupplier nanoTime;

    @GuardedBy("lock")
    private final List<Task<?>> tasks = new ArrayList<>();

    @GuardedBy("lock")
    private boolean shutdown;

    SettableTimer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Removes and returns the earliest task due by then; drops cancelled tasks. */
    Optional<Task<?>> pollUntil(long ns) {
        lock.lock();
        try {
            tasks.removeIf(Task::isCancelled);
            Optional<Task<?>> earliest =
                    tasks.stream()
                            .filter(task -> task.dueNs() <= ns)
                            .min(Comparator.comparingLong(Task::dueNs));
            earliest.ifPresent(tasks::remove);
            return earliest;
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            tasks.removeIf(Task::isCancelled);
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return schedule(Executors.callable(command), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return add(callable, nanoTime.getAsLong() + unit.toNanos(delay), 0);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(
            Runnable command, long initialDelay, long period, TimeUnit unit) {
        long first = nanoTime.getAsLong() + unit.toNanos(initialDelay);
        return add(Executors.callable(command), first, unit.toNanos(period));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
            Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return scheduleAtFixedRate(command, initialDelay, delay, unit);
    }

    @Override
    public void execute(Runnable command) {
        add(Executors.callable(command), nanoTime.getAsLong(), 0);
    }

    @Override
    public void shutdown() {
        shutdownNow();
    }

    @Override
    public List<Runnable> shutdownNow() {
        lock.lock();
        try {
            shutdown = true;
            List<Runnable> left = List.copyOf(tasks);
            tasks.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isShutdown() {
        lock.lock();
        try {
            return shutdown;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isTerminated() {
        return isShutdown();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown();
    }

    @CanIgnoreReturnValue
    private <V> Task<V> add(Callable<V> body, long dueNs, long periodNs) {
        lock.lock();
        try {
            if (shutdown) {
                throw new RejectedExecutionException("shut down");
            }
            Task<V> task =
                    new Task<>(
                            this,
                            body,
                            dueNs,
                            periodNs,
                            () -> {
                                add(body, dueNs + periodNs, periodNs);
                            });
            tasks.add(task);
            return task;
        } finally {
            lock.unlock();
        }
    }
}
