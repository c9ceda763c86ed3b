package touchline.media.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker processes for jobs. Each process is leased to one job at a time. After a successful job,
 * one idle process is kept for a minute to save a JVM start, unless it was started for files
 * besides its own folder. The job queues limit the number of processes. Any thread; {@link #lease}
 * blocks.
 */
public final class WorkerPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);
    private static final Duration KEPT = Duration.ofSeconds(60);

    private final WorkerLaunch launch;
    private final Supplier<WorkerIsolation> probe;
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
        this(launch, () -> WorkerIsolation.probe(launch, /* withGpu= */ false));
    }

    /**
     * @param launch command line of each process
     * @param isolation called once, before the first start; may block
     */
    public WorkerPool(WorkerLaunch launch, Supplier<WorkerIsolation> isolation) {
        this.launch = launch;
        this.probe = isolation;
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Returns the folder with the folders of all workers. */
    public Path workDir() {
        return launch.workDir();
    }

    /** A worker, reserved for its holder until close. */
    public final class Lease implements AutoCloseable {
        private final WorkerProcess process;
        private final boolean reusable;

        private Lease(WorkerProcess process, boolean reusable) {
            this.process = process;
            this.reusable = reusable;
        }

        public WorkerProcess process() {
            return process;
        }

        @Override
        public void close() {
            if (reusable) {
                giveBack(process);
            } else {
                process.close();
            }
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
                return new Lease(warm, /* reusable= */ true);
            }
            around = isolation();
        } finally {
            lock.unlock();
        }
        return new Lease(WorkerProcess.start(launch, around), /* reusable= */ true);
    }

    /**
     * Returns a new worker for a job with files of its own. It ends with the lease; then the server
     * owns what it wrote.
     *
     * @throws IOException if no worker can be started
     */
    public Lease lease(WorkerFiles files) throws IOException {
        WorkerIsolation around;
        lock.lock();
        try {
            around = isolation();
        } finally {
            lock.unlock();
        }
        return new Lease(WorkerProcess.start(launch, around, files), /* reusable= */ false);
    }

    @GuardedBy("lock")
    private WorkerIsolation isolation() throws IOException {
        if (closed) {
            throw new IOException("workers: the server is stopping");
        }
        WorkerIsolation known = isolation;
        if (known == null) {
            known = probe.get();
            isolation = known;
        }
        return known;
    }

    private void giveBack(WorkerProcess process) {
        boolean kept;
        boolean clean = process.isAlive() && clear(process);
        lock.lock();
        try {
            kept = clean && !closed && idle == null && process.isAlive();
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

    private static boolean clear(WorkerProcess process) {
        try {
            process.clearFolder();
            return true;
        } catch (IOException e) {
            log.warn("worker pid={}: {}", process.pid(), e.toString());
            return false;
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
