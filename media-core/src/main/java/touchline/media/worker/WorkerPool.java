package touchline.media.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker processes for jobs. Each process is leased to one job at a time. After a successful job,
 * one idle process is kept for a minute to save a JVM start. The job queues limit the number of
 * processes. Any thread; {@link #lease} blocks.
 */
public final class WorkerPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);
    private static final Duration KEPT = Duration.ofSeconds(60);

    private final WorkerLaunch launch;
    private final ReentrantLock lock = new ReentrantLock();
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("workers-timer").daemon().factory());

    @GuardedBy("lock")
    private @Nullable WorkerIsolation isolation;

    @GuardedBy("lock")
    private @Nullable WorkerProcess idle;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param launch command line of each process
     */
    public WorkerPool(WorkerLaunch launch) {
        this.launch = launch;
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Returns the folder in which workers and jobs exchange files. */
    public Path workDir() {
        return launch.workDir();
    }

    /** A worker, reserved for its holder until close. */
    public final class Lease implements AutoCloseable {
        private final WorkerProcess process;

        private Lease(WorkerProcess process) {
            this.process = process;
        }

        public WorkerProcess process() {
            return process;
        }

        @Override
        public void close() {
            giveBack(process);
        }
    }

    /**
     * Returns an idle worker, or starts a new one.
     *
     * @throws IOException if no worker can be started
     */
    public Lease lease() throws IOException {
        WorkerIsolation around;
        lock.lock();
        try {
            WorkerProcess warm = idle;
            idle = null;
            if (warm != null && warm.isAlive()) {
                return new Lease(warm);
            }
            if (closed) {
                throw new IOException("workers: the server is stopping");
            }
            around = isolation();
        } finally {
            lock.unlock();
        }
        return new Lease(WorkerProcess.start(launch, around));
    }

    /** Probes the isolation of this host, before the first lease. */
    public void probe() {
        lock.lock();
        try {
            WorkerIsolation _ = isolation();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private WorkerIsolation isolation() {
        WorkerIsolation known = isolation;
        if (known == null) {
            known = WorkerIsolation.probe();
            isolation = known;
            log.info("worker processes: {}", known.describe());
        }
        return known;
    }

    private void giveBack(WorkerProcess process) {
        boolean kept;
        lock.lock();
        try {
            kept = !closed && idle == null && process.isAlive();
            if (kept) {
                idle = process;
                var _ = timer.schedule(() -> let(process), KEPT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } finally {
            lock.unlock();
        }
        if (!kept) {
            process.close();
        }
    }

    /** Closes a process if it is idle. */
    private void let(WorkerProcess process) {
        boolean wasIdle;
        lock.lock();
        try {
            wasIdle = idle == process;
            if (wasIdle) {
                idle = null;
            }
        } finally {
            lock.unlock();
        }
        if (wasIdle) {
            process.close();
        }
    }

    /** Closes the idle process; busy ones close after their jobs. */
    @Override
    public void close() {
        timer.shutdownNow();
        WorkerProcess last;
        lock.lock();
        try {
            closed = true;
            last = idle;
            idle = null;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
    }
}
