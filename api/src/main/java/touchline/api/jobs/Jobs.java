package touchline.api.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.JobRows;
import touchline.api.domain.JobHandler;
import touchline.api.domain.JobQueue;

/**
 * All durable jobs: kinds with places of their own, so that a long transcoding never keeps a clip
 * or a webhook waiting. A submission starts at once where there is a place; what is due later is
 * found by a timer when that is soon, and else by asking the database every few seconds, one
 * indexed statement for each kind. What a dead server was at is due again at the start.
 *
 * <p>Kinds are opened before {@link #start}, by the thread that starts and closes. Jobs may be
 * submitted from then on, and run from the start on.
 */
public final class Jobs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Jobs.class);
    private static final Duration POLL = Duration.ofSeconds(10);

    private final Database database;
    private final JobRows rows;
    private final InstantSource clock;
    private final List<JobExecutor> lanes = new ArrayList<>();
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("jobs-timer").daemon().factory());

    public Jobs(Database database, InstantSource clock) {
        this.database = database;
        this.rows = new JobRows(database);
        this.clock = clock;
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Opens a kind.
     *
     * @param kind its name in the database: letters and {@code -}
     * @param places how many of its jobs run at once
     */
    public JobQueue open(String kind, int places, JobHandler handler) {
        JobExecutor lane =
                new JobExecutor(
                        new JobExecutor.Kind(kind, places, handler),
                        database,
                        clock,
                        POLL,
                        this::whenDue);
        lanes.add(lane);
        return lane;
    }

    /** Takes up what an earlier server has left, and begins. */
    public void start() {
        int interrupted = rows.freeInterrupted();
        if (interrupted > 0) {
            log.warn("{} jobs were cut off when the server stopped last", interrupted);
        }
        lanes.forEach(JobExecutor::start);
    }

    /**
     * Interrupts what runs and waits for it, a few seconds at most: it goes on at the next start.
     */
    @Override
    public void close() {
        timer.shutdownNow();
        try (ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor()) {
            lanes.forEach(lane -> closing.execute(lane::close));
        }
        rows.freeStopped();
    }

    /** Wakes a lane at a time that is soon; what is later is found by asking. */
    private void whenDue(Instant at, Runnable wake) {
        Duration left = Duration.between(clock.instant(), at);
        if (left.compareTo(POLL) <= 0 && !timer.isShutdown()) {
            // A millisecond late rather than early: the database compares with its own precision.
            long delayMs = Math.max(0, left.toMillis()) + (left.isPositive() ? 1 : 0);
            var _ = timer.schedule(wake, delayMs, TimeUnit.MILLISECONDS);
        }
    }
}
