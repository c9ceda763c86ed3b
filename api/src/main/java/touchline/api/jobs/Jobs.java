package touchline.api.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.JobRows;
import touchline.api.trace.Tracing;

/**
 * All durable jobs. Each kind has its own places, so a long transcoding never delays a clip or a
 * webhook. A submitted job starts at once where a place is free. A timer starts jobs that are due
 * soon. A poll every few seconds, one indexed statement per kind, finds the others. Jobs of a
 * crashed server are due again at the start.
 *
 * <p>The thread that starts and closes opens the kinds, before {@link #start}. Jobs may be
 * submitted from then on. They run from the start on.
 */
public final class Jobs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Jobs.class);
    private static final Duration POLL = Duration.ofSeconds(10);

    private final Database database;
    private final boolean runsShared;
    private final JobRows rows;
    private final InstantSource clock;
    private final Duration poll;
    private final Tracing tracing;
    private final List<JobQueue> queues = new ArrayList<>();

    /** Volatile: set once, while jobs are submitted. */
    private volatile Runnable elsewhere = () -> {};

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("jobs-timer").daemon().factory());

    /** Without traces. */
    public Jobs(Database database, InstantSource clock) {
        this(database, clock, POLL);
    }

    /**
     * @param poll interval in which the database is asked for jobs that are due
     */
    Jobs(Database database, InstantSource clock, Duration poll) {
        this(database, /* runsShared= */ true, clock, Tracing.OFF, poll);
    }

    /**
     * @param runsShared whether this server runs jobs that any node of a cluster may run
     * @param tracing receives a span for each run; borrowed
     */
    public Jobs(Database database, boolean runsShared, InstantSource clock, Tracing tracing) {
        this(database, runsShared, clock, tracing, POLL);
    }

    private Jobs(
            Database database,
            boolean runsShared,
            InstantSource clock,
            Tracing tracing,
            Duration poll) {
        this.database = database;
        this.runsShared = runsShared;
        this.tracing = tracing;
        this.rows = new JobRows(database);
        this.clock = clock;
        this.poll = poll;
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Opens a kind.
     *
     * @param kind its name in the database: letters and {@code -}
     * @param places how many of its jobs run at once
     */
    public JobQueue open(String kind, int places, JobHandler handler) {
        JobQueue.Place place = runsShared ? JobQueue.Place.ANY : JobQueue.Place.ELSEWHERE;
        return open(new JobQueue.Kind(kind, places, place, handler), tracing);
    }

    /** The same for jobs that need files of one server. */
    JobQueue openLocal(String kind, int places, JobHandler handler) {
        return open(new JobQueue.Kind(kind, places, JobQueue.Place.LOCAL, handler), tracing);
    }

    /** The same for jobs that only wake something of one server: they have no traces. */
    JobQueue openTimer(String kind, int places, JobHandler handler) {
        return open(new JobQueue.Kind(kind, places, JobQueue.Place.LOCAL, handler), Tracing.OFF);
    }

    private JobQueue open(JobQueue.Kind kind, Tracing traced) {
        JobQueue queue =
                new JobQueue(
                        kind,
                        database,
                        clock,
                        poll,
                        new JobQueue.WakeUps() {
                            @Override
                            public void at(Instant due, Runnable wake) {
                                whenDue(due, wake);
                            }

                            @Override
                            public void elsewhere() {
                                elsewhere.run();
                            }
                        },
                        new JobTraces(kind.name(), traced));
        queues.add(queue);
        return queue;
    }

    /**
     * Sets what follows the commit of a job that this server does not run.
     *
     * @param submitted wakes the other nodes; returns at once
     */
    public void elsewhere(Runnable submitted) {
        elsewhere = submitted;
    }

    /** Looks for jobs that other nodes have submitted. Does not block. */
    public void poll() {
        queues.forEach(JobQueue::poll);
    }

    /** Frees the jobs of an earlier server and starts all kinds. */
    public void start() {
        rows.move(queues.stream().filter(JobQueue::isLocal).map(JobQueue::kind).toList());
        int interrupted = rows.freeInterrupted();
        if (interrupted > 0) {
            log.warn(
                    "{} jobs were interrupted by the last stop of the server; they run again",
                    interrupted);
        }
        queues.forEach(JobQueue::start);
    }

    /** The kinds that are open. */
    public List<String> kinds() {
        return queues.stream().map(JobQueue::kind).toList();
    }

    /** Jobs that run and wait now, by kind; asks the database. */
    public Map<String, JobRows.Load> load(Instant now) {
        return rows.load(now);
    }

    /** Runs of a kind that failed since the start, and that are tried again. */
    public long failedRuns(String kind) {
        return queues.stream()
                .filter(queue -> queue.kind().equals(kind))
                .mapToLong(JobQueue::failedRuns)
                .sum();
    }

    /** Interrupts running jobs and waits a few seconds. They run again at the next start. */
    @Override
    public void close() {
        timer.shutdownNow();
        try (ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor()) {
            queues.forEach(queue -> closing.execute(queue::close));
        }
        rows.freeStopped();
    }

    /** Wakes a queue at a time that is soon. The poll finds later jobs. */
    private void whenDue(Instant at, Runnable wake) {
        Duration left = Duration.between(clock.instant(), at);
        if (left.compareTo(poll) <= 0 && !timer.isShutdown()) {
            // A millisecond late rather than early: the database compares with its own precision.
            long delayMs = Math.max(0, left.toMillis()) + (left.isPositive() ? 1 : 0);
            var _ = timer.schedule(wake, delayMs, TimeUnit.MILLISECONDS);
        }
    }
}
