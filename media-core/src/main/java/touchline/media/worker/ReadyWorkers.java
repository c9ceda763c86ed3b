package touchline.media.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts processes of a pool before a job needs them, one after the other, and again when they end.
 * Processes that crash come back after a growing pause. Any thread; never called with the lock of
 * the pool except for {@link #count} and {@link #crashed}.
 */
public final class ReadyWorkers {
    private static final Logger log = LoggerFactory.getLogger(ReadyWorkers.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final WorkerPool pool;
    private final ScheduledExecutorService timer;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final RestartPause pause = new RestartPause(FIRST_PAUSE, LONGEST_PAUSE);

    @GuardedBy("lock")
    private Wanted wanted = Wanted.NONE;

    /** Whether {@link #run} is scheduled or runs. */
    @GuardedBy("lock")
    private boolean filling;

    /**
     * What is wanted.
     *
     * @param processes at least, at work or idle; at most those that the pool keeps idle
     * @param delay before the first start
     * @param firstJob run by each of them, so that it has loaded what the other jobs use; empty if
     *     no process is needed. Called on the pool's timer; may block
     */
    public record Wanted(int processes, Duration delay, Supplier<Optional<WorkerJob>> firstJob) {
        /** No process is started before a job needs it. */
        public static final Wanted NONE = new Wanted(0, Duration.ZERO, Optional::empty);
    }

    /**
     * @param timer of the pool; processes start on its thread
     */
    ReadyWorkers(WorkerPool pool, ScheduledExecutorService timer) {
        this.pool = pool;
        this.timer = timer;
    }

    void keep(Wanted now) {
        lock.lock();
        try {
            wanted = now;
        } finally {
            lock.unlock();
        }
        fillAfter(now.delay());
    }

    /** Returns the number of processes that do not end when they are idle. */
    int count() {
        return wanted().processes();
    }

    /** Starts what is missing. Does not block. */
    void fill() {
        fillAfter(Duration.ZERO);
    }

    /**
     * @param livedNs time from the process's start to its crash
     */
    void crashed(long livedNs) {
        lock.lock();
        try {
            pause.crashed(livedNs, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    private Wanted wanted() {
        lock.lock();
        try {
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    private void fillAfter(Duration delay) {
        if (pool.processes() >= count()) {
            return;
        }
        lock.lock();
        try {
            if (!filling) {
                long waitNs = Math.max(delay.toNanos(), pause.leftNs(System.nanoTime()));
                var _ = timer.schedule(this::run, waitNs, TimeUnit.NANOSECONDS);
                filling = true;
            }
        } catch (RejectedExecutionException _) {
            log.debug("no worker is started: the pool is closed");
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            startMissing(wanted());
        } catch (WorkerException e) {
            // Its process has been counted when it was given back.
            log.warn("no worker is ready: {}", e.toString());
        } catch (IOException | RuntimeException | LinkageError e) {
            if (!timer.isShutdown()) {
                log.warn("no worker is ready: {}", e.toString());
                crashed(0);
            }
        } finally {
            lock.lock();
            try {
                filling = false;
            } finally {
                lock.unlock();
            }
        }
        fill();
    }

    private void startMissing(Wanted now) throws IOException, WorkerException {
        if (now.processes() == 0) {
            return;
        }
        Optional<WorkerJob> job = now.firstJob().get();
        if (job.isEmpty()) {
            forget(now);
            return;
        }
        Optional<WorkerPool.Lease> missing = pool.leaseMissing(now.processes());
        if (missing.isEmpty()) {
            return;
        }
        try (WorkerPool.Lease lease = missing.get()) {
            var _ = lease.process().run(job.get(), _ -> {});
            log.info("worker pid={} is ready", lease.process().pid());
        }
    }

    /** Nothing is wanted any more, unless that has changed. */
    private void forget(Wanted then) {
        lock.lock();
        try {
            if (wanted.equals(then)) {
                wanted = Wanted.NONE;
            }
        } finally {
            lock.unlock();
        }
    }
}
