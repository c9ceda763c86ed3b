package touchline.media.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker processes for jobs. Each process is leased to one job at a time. After a successful job,
 * an idle process is kept for a while to save a JVM start, unless it was started for files besides
 * its own folder. On request, processes are started before the first job. The job queues limit the
 * number of processes. Any thread; {@link #lease} blocks.
 */
public final class WorkerPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);

    /** One process for a minute. */
    public static final Idle DEFAULT_IDLE = new Idle(1, Duration.ofSeconds(60));

    private static final long TIMER_END_SECONDS = 10;

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

    /** Processes that run or start for a job; without those for files of their own. */
    @GuardedBy("lock")
    private int busy;

    private final AtomicLong started = new AtomicLong();
    private final AtomicLong crashed = new AtomicLong();
    private final ReadyWorkers ready = new ReadyWorkers(this, timer);

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
     * Keeps processes ready from now on, and replaces those that end. Those that are ready and not
     * wanted any more end after the idle time.
     */
    public void keepReady(ReadyWorkers.Wanted wanted) {
        ready.keep(wanted);
        lock.lock();
        try {
            if (!closed) {
                idle.forEach(this::endLater);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of processes; without those for files of their own. */
    public int processes() {
        lock.lock();
        try {
            return idle.size() + busy;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the process ids of the processes without a job. */
    public List<Long> idlePids() {
        lock.lock();
        try {
            return idle.stream().map(each -> each.process().pid()).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of processes that were started. */
    public long started() {
        return started.get();
    }

    /** Returns the number of processes that ended by themselves, or were killed. */
    public long crashed() {
        return crashed.get();
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
                busy++;
                return new Lease(last.process(), /* reusable= */ true);
            }
            dead = last;
            around = isolation();
            busy++;
        } finally {
            lock.unlock();
        }
        if (dead != null) {
            dead.process().close();
        }
        return new Lease(start(around), /* reusable= */ true);
    }

    /** Returns a new worker if the pool has fewer processes than that and is open. */
    Optional<Lease> leaseMissing(int processes) throws IOException {
        WorkerIsolation around;
        lock.lock();
        try {
            if (closed || idle.size() + busy >= processes) {
                return Optional.empty();
            }
            around = isolation();
            busy++;
        } finally {
            lock.unlock();
        }
        return Optional.of(new Lease(start(around), /* reusable= */ true));
    }

    /** Starts a process that counts as busy. */
    private WorkerProcess start(WorkerIsolation around) throws IOException {
        try {
            WorkerProcess process = WorkerProcess.start(launch, around);
            started.incrementAndGet();
            process.whenExited(() -> exited(process));
            return process;
        } catch (IOException | RuntimeException e) {
            lock.lock();
            try {
                busy--;
            } finally {
                lock.unlock();
            }
            throw e;
        }
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
            busy--;
            boolean isAlive = process.isAlive();
            isKept = clean && !closed && idle.size() < kept.processes() && isAlive;
            if (isKept) {
                Waiting waiting = new Waiting(process, waits++);
                idle.addLast(waiting);
                endLater(waiting);
            } else if (!isAlive) {
                handleCrash(process);
            }
        } finally {
            lock.unlock();
        }
        if (!isKept) {
            process.close();
        }
        ready.fill();
    }

    /** A process has exited. If a job had it, giving it back does the rest. */
    private void exited(WorkerProcess process) {
        lock.lock();
        try {
            if (!idle.removeIf(each -> each.process() == process)) {
                return;
            }
            log.warn("worker pid={} ended without a job", process.pid());
            handleCrash(process);
        } finally {
            lock.unlock();
        }
        process.close();
        ready.fill();
    }

    @GuardedBy("lock")
    private void handleCrash(WorkerProcess process) {
        crashed.incrementAndGet();
        ready.crashed(process.livedNs());
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

    @GuardedBy("lock")
    private void endLater(Waiting waiting) {
        var _ = timer.schedule(() -> end(waiting), kept.time().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes a process if it has been idle since, and need not be ready. */
    private void end(Waiting waiting) {
        boolean wasIdle;
        lock.lock();
        try {
            wasIdle = idle.size() > ready.count() && idle.remove(waiting);
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
        List<Waiting> last;
        lock.lock();
        try {
            closed = true;
            last = List.copyOf(idle);
            idle.clear();
        } finally {
            lock.unlock();
        }
        // Ends a first job too.
        timer.shutdownNow();
        last.forEach(each -> each.process().close());
        try {
            if (!timer.awaitTermination(TIMER_END_SECONDS, TimeUnit.SECONDS)) {
                log.warn("a worker that starts does not end");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
