package touchline.media.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker processes for jobs. Each process is leased to one job at a time. After a successful job,
 * an idle process is kept for a while to save a JVM start, unless it was started for files besides
 * its own folder. The job queues limit the number of processes. Any thread; {@link #lease} blocks.
 */
public final class WorkerPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);

    /** One process for a minute. */
    public static final Idle DEFAULT_IDLE = new Idle(1, Duration.ofSeconds(60));

    private final WorkerLaunch launch;
    private final Idle kept;
    private final Supplier<WorkerIsolation> probe;
    private final ReentrantLock lock = new ReentrantLock();
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("workers-timer").daemon().factory());

    @GuardedBy("lock")
    private @Nullable WorkerIsolation isolation;

    /** The last one was used last: the others may end. */
    @GuardedBy("lock")
    private final ArrayDeque<Waiting> idle = new ArrayDeque<>();

    @GuardedBy("lock")
    private long waits;

    @GuardedBy("lock")
    private boolean closed;

    /** A process without a job, and how many have waited before it. */
    private record Waiting(WorkerProcess process, long number) {}

    /**
     * Processes that are kept without a job.
     *
     * @param processes at most
     * @param time each of them ends after it
     */
    public record Idle(int processes, Duration time) {}

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
        this(launch, isolation, DEFAULT_IDLE);
    }

    /**
     * @param launch command line of each process
     * @param isolation called once, before the first start; may block
     * @param kept processes without a job
     */
    public WorkerPool(WorkerLaunch launch, Supplier<WorkerIsolation> isolation, Idle kept) {
        this.launch = launch;
        this.probe = isolation;
        this.kept = kept;
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
        Waiting dead;
        lock.lock();
        try {
            Waiting last = idle.pollLast();
            if (last != null && last.process().isAlive()) {
                return new Lease(last.process(), /* reusable= */ true);
            }
            dead = last;
            around = isolation();
        } finally {
            lock.unlock();
        }
        if (dead != null) {
            dead.process().close();
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
        boolean isKept;
        boolean clean = process.isAlive() && clear(process);
        lock.lock();
        try {
            isKept = clean && !closed && idle.size() < kept.processes() && process.isAlive();
            if (isKept) {
                Waiting waiting = new Waiting(process, waits++);
                idle.addLast(waiting);
                var _ =
                        timer.schedule(
                                () -> end(waiting), kept.time().toMillis(), TimeUnit.MILLISECONDS);
            }
        } finally {
            lock.unlock();
        }
        if (!isKept) {
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

    /** Closes a process if it has been idle since. */
    private void end(Waiting waiting) {
        boolean wasIdle;
        lock.lock();
        try {
            wasIdle = idle.remove(waiting);
        } finally {
            lock.unlock();
        }
        if (wasIdle) {
            waiting.process().close();
        }
    }

    /** Closes idle processes; busy ones close after their jobs. */
    @Override
    public void close() {
        timer.shutdownNow();
        List<Waiting> last;
        lock.lock();
        try {
            closed = true;
            last = List.copyOf(idle);
            idle.clear();
        } finally {
            lock.unlock();
        }
        last.forEach(each -> each.process().close());
    }
}
