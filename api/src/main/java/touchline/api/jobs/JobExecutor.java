package touchline.api.jobs;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.exceptions.ExecutionException;
import com.github.kagkarlsson.scheduler.exceptions.TaskInstanceCurrentlyExecutingException;
import com.github.kagkarlsson.scheduler.exceptions.TaskInstanceNotFoundException;
import com.github.kagkarlsson.scheduler.jdbc.DefaultJdbcCustomization;
import com.github.kagkarlsson.scheduler.logging.LogLevel;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.TaskInstanceId;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.domain.JobHandler;
import touchline.api.domain.JobOutcome;
import touchline.api.domain.JobQueue;
import touchline.api.domain.JobRun;

/**
 * The jobs of one kind: a scheduler that asks for this kind only and has as many threads as the
 * kind has places. The threads are virtual ones; there is a pool of them because the library bounds
 * its work by one.
 */
final class JobExecutor implements JobQueue, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JobExecutor.class);
    private static final String TABLE = "jobs";
    private static final Duration HEARTBEAT = Duration.ofSeconds(30);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final int MAX_DOUBLINGS = 9;
    private static final int RACES = 5;

    /** Never: rows of kinds that this server does not know may be a later version's. */
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final Kind kind;
    private final Database database;
    private final InstantSource clock;
    private final BiConsumer<Instant, Runnable> whenDue;
    private final CustomTask<String> task;
    private final Scheduler scheduler;
    private final RunningJobs running = new RunningJobs();

    /** What is done, and how much of it at once. */
    record Kind(String name, int places, JobHandler handler) {
        Kind {
            if (!name.matches("[a-z][a-z-]{0,49}")) {
                throw new IllegalArgumentException("kind: " + name + " (expected: a-z and -)");
            }
        }
    }

    /** Reads one kind alone: the others have schedulers of their own. */
    private static final class OneKind extends DefaultJdbcCustomization {
        private final String kind;

        OneKind(String kind) {
            super(/* persistTimestampInUTC= */ false);
            this.kind = kind;
        }

        @Override
        public String createSelectDueQuery(
                String table, int limit, String condition, boolean byPriority) {
            return super.createSelectDueQuery(
                    table, limit, condition + " and task_name = '" + kind + "'", byPriority);
        }
    }

    /**
     * @param whenDue arranges that the wake-up runs when it is time
     */
    JobExecutor(
            Kind kind,
            Database database,
            InstantSource clock,
            Duration poll,
            BiConsumer<Instant, Runnable> whenDue) {
        this.kind = kind;
        this.database = database;
        this.clock = clock;
        this.whenDue = whenDue;
        this.task =
                Tasks.custom(kind.name(), String.class)
                        .onDeadExecutionRevive()
                        .execute(this::execute);
        ThreadFactory threads = Thread.ofVirtual().name("job-" + kind.name() + "-", 0).factory();
        this.scheduler =
                Scheduler.create(database.dataSource(), task)
                        .tableName(TABLE)
                        .jdbcCustomization(new OneKind(kind.name()))
                        .serializer(new JobText())
                        .clock(clock::instant)
                        .schedulerName(() -> "touchline")
                        .threads(kind.places())
                        .executorService(Executors.newFixedThreadPool(kind.places(), threads))
                        .dueExecutor(Executors.newSingleThreadExecutor(threads))
                        .housekeeperExecutor(Executors.newScheduledThreadPool(1, threads))
                        .pollingInterval(poll)
                        .heartbeatInterval(HEARTBEAT)
                        .deleteUnresolvedAfter(FOREVER)
                        .shutdownMaxWait(STOP_PATIENCE)
                        .failureLogging(LogLevel.ERROR, /* logStackTrace= */ true)
                        .build();
    }

    void start() {
        scheduler.start();
    }

    @Override
    public void close() {
        running.stop();
        scheduler.stop();
    }

    @Override
    public boolean submit(String id, String data) {
        return submit(id, data, clock.instant());
    }

    @Override
    public boolean submit(String id, String data, Instant at) {
        // The database may keep fewer digits: rounded up, a job would not be due yet.
        Instant due = at.truncatedTo(ChronoUnit.MILLIS);
        boolean added = scheduler.scheduleIfNotExists(task.instance(id, data), due);
        if (added) {
            wakeAt(due);
        }
        return added;
    }

    @Override
    public boolean reschedule(String id, Instant at) {
        Instant due = at.truncatedTo(ChronoUnit.MILLIS);
        try {
            boolean moved = scheduler.reschedule(named(id), due);
            wakeAt(due);
            return moved;
        } catch (TaskInstanceNotFoundException
                | TaskInstanceCurrentlyExecutingException
                | ExecutionException _) {
            return false;
        }
    }

    @Override
    public boolean cancel(String id) {
        for (int i = 0; i < RACES; i++) {
            try {
                scheduler.cancel(named(id));
                return true;
            } catch (TaskInstanceNotFoundException _) {
                return false;
            } catch (TaskInstanceCurrentlyExecutingException _) {
                running.cancel(id);
                if (contains(id) || !running.forget(id)) {
                    return true;
                }
                // It had ended by itself before.
            } catch (ExecutionException _) {
                log.debug("job {} {} has just begun", kind.name(), id);
            }
        }
        return false;
    }

    @Override
    public boolean contains(String id) {
        return scheduler.getScheduledExecution(named(id)).isPresent();
    }

    private TaskInstanceId named(String id) {
        return TaskInstanceId.of(kind.name(), id);
    }

    private void wakeAt(Instant due) {
        database.afterCommit(() -> whenDue.accept(due, scheduler::triggerCheckForDueExecutions));
    }

    private CompletionHandler<String> execute(
            TaskInstance<String> instance, ExecutionContext context) {
        int failures = context.getExecution().consecutiveFailures;
        RunningJobs.Ended ended =
                running.run(
                        instance.getId(),
                        ending ->
                                outcome(
                                        new JobRun(
                                                instance.getId(),
                                                instance.getData(),
                                                failures,
                                                ending)));
        return switch (ended) {
            case RunningJobs.Ended.Canceled() -> (_, operations) -> operations.remove();
            // Still marked as running: the end of the server, or its next start, frees it.
            case RunningJobs.Ended.Stopped() -> (_, _) -> {};
            case RunningJobs.Ended.Returned(var outcome) -> completion(outcome, context);
        };
    }

    private JobOutcome outcome(JobRun run) throws InterruptedException {
        try {
            return kind.handler().run(run);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | LinkageError | AssertionError e) {
            Duration pause =
                    FIRST_PAUSE.multipliedBy(1L << Math.min(run.failures(), MAX_DOUBLINGS));
            log.error("job {} {} failed, is tried again in {}", kind.name(), run.id(), pause, e);
            return new JobOutcome.Retry(clock.instant().plus(pause));
        }
    }

    private CompletionHandler<String> completion(JobOutcome outcome, ExecutionContext context) {
        return switch (outcome) {
            case JobOutcome.Done() -> (_, operations) -> operations.remove();
            case JobOutcome.Retry(Instant at) ->
                    (complete, operations) -> {
                        operations.reschedule(
                                ExecutionComplete.failure(
                                        context.getExecution(),
                                        complete.getTimeDone(),
                                        complete.getTimeDone(),
                                        null),
                                at.truncatedTo(ChronoUnit.MILLIS));
                        wakeAt(at);
                    };
            case JobOutcome.Continue(Instant at, String data) ->
                    (complete, operations) -> {
                        operations.reschedule(complete, at.truncatedTo(ChronoUnit.MILLIS), data);
                        wakeAt(at);
                    };
        };
    }
}
