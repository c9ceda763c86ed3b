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
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.TaskInstanceId;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.JobRows;

/**
 * Durable jobs of one kind. A job is in the database from its submission to its end. This server,
 * or the next one on the same data, runs it at least once. Calls block; any thread.
 *
 * <p>A submission inside a transaction belongs to it: the job exists when the transaction commits.
 * It starts then, at once where a place of its kind is free.
 *
 * <p>The scheduler polls for this kind only, and has one virtual thread for each place.
 */
public final class JobQueue implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JobQueue.class);
    private static final String TABLE = "jobs";
    private static final Duration HEARTBEAT = Duration.ofSeconds(30);

    /** Another node runs the jobs of a dead one after four times this. */
    private static final Duration NODE_HEARTBEAT = Duration.ofSeconds(10);

    private static final int MISSED = 6;
    private static final int NODE_MISSED = 4;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final int MAX_DOUBLINGS = 9;
    private static final int RACES = 5;

    /** Never: rows of an unknown kind may belong to a later version. */
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final Kind kind;
    private final Database database;
    private final InstantSource clock;
    private final WakeUps wakeUps;
    private final JobTraces traces;

    /** The name of a job without a node, and all names whose jobs run here. */
    private final String home;

    private final List<String> names;
    private final Scheduler scheduler;
    private final RunningJobs running = new RunningJobs();
    private final LongAdder failedRuns = new LongAdder();

    /** Where a job runs in a cluster. */
    enum Place {
        /** At any node, or at the one that its submission names. */
        ANY,
        /** The same, but at this server only those that name it. */
        ELSEWHERE,
        /** At the node that has its files. */
        LOCAL
    }

    /**
     * A kind of jobs.
     *
     * @param places how many run at once
     * @param place where it runs in a cluster
     */
    record Kind(String name, int places, Place place, JobHandler handler) {
        Kind {
            if (!name.matches("[a-z][a-z-]{0,49}")) {
                throw new IllegalArgumentException("kind: " + name + " (expected: a-z and -)");
            }
        }
    }

    /** When there is something to do. Neither call blocks. */
    interface WakeUps {
        /** Runs the wake-up at this time. */
        void at(Instant due, Runnable wake);

        /** A job was submitted that another server runs. */
        void elsewhere();
    }

    /** Polls for one kind: the others have their own schedulers. */
    private static final class OneKind extends DefaultJdbcCustomization {
        private final String names;

        OneKind(List<String> names) {
            super(/* persistTimestampInUTC= */ false);
            this.names = String.join("', '", names);
        }

        @Override
        public String createSelectDueQuery(
                String table, int limit, String condition, boolean byPriority) {
            return super.createSelectDueQuery(
                    table, limit, condition + " and task_name in ('" + names + "')", byPriority);
        }
    }

    /**
     * @param wakeUps when there is something to do
     */
    JobQueue(
            Kind kind,
            Database database,
            InstantSource clock,
            Duration poll,
            WakeUps wakeUps,
            JobTraces traces) {
        this.kind = kind;
        this.traces = traces;
        this.database = database;
        this.clock = clock;
        this.wakeUps = wakeUps;
        JobRows rows = new JobRows(database);
        String here = rows.here(kind.name());
        this.home = isLocal() ? here : kind.name();
        this.names = kind.place() == Place.ANY ? distinct(home, here) : List.of(here);
        ThreadFactory threads = Thread.ofVirtual().name("job-" + kind.name() + "-", 0).factory();
        this.scheduler =
                Scheduler.create(database.dataSource(), tasks())
                        .tableName(TABLE)
                        .jdbcCustomization(new OneKind(names))
                        .serializer(new JobText())
                        .clock(clock::instant)
                        .schedulerName(rows::schedulerName)
                        .threads(kind.places())
                        .executorService(Executors.newFixedThreadPool(kind.places(), threads))
                        .dueExecutor(Executors.newSingleThreadExecutor(threads))
                        .housekeeperExecutor(Executors.newScheduledThreadPool(1, threads))
                        .pollingInterval(poll)
                        .heartbeatInterval(database.node().isPresent() ? NODE_HEARTBEAT : HEARTBEAT)
                        .missedHeartbeatsLimit(database.node().isPresent() ? NODE_MISSED : MISSED)
                        .deleteUnresolvedAfter(FOREVER)
                        .shutdownMaxWait(STOP_PATIENCE)
                        .failureLogging(LogLevel.ERROR, /* logStackTrace= */ true)
                        .build();
    }

    private List<Task<?>> tasks() {
        List<Task<?>> tasks = new ArrayList<>();
        for (String name : names) {
            tasks.add(
                    Tasks.custom(name, String.class)
                            .onDeadExecutionRevive()
                            .execute(this::execute));
        }
        return tasks;
    }

    String kind() {
        return kind.name();
    }

    private static List<String> distinct(String home, String here) {
        return home.equals(here) ? List.of(home) : List.of(home, here);
    }

    boolean isLocal() {
        return kind.place() == Place.LOCAL;
    }

    /** Runs that failed since the start. */
    long failedRuns() {
        return failedRuns.sum();
    }

    void start() {
        scheduler.start();
    }

    void poll() {
        scheduler.triggerCheckForDueExecutions();
    }

    @Override
    public void close() {
        running.stop();
        scheduler.stop();
    }

    /**
     * Submits a job that is due now.
     *
     * @param id the job's name within its kind, at most 100 characters
     * @param data input of the handler
     * @return false where a job of this name waits or runs already: that one stays as it is
     */
    public boolean submit(String id, String data) {
        return submit(id, data, clock.instant());
    }

    /** Submits a job that is due later; see {@link #submit(String, String)}. */
    public boolean submit(String id, String data, Instant at) {
        return submit(home, id, data, at);
    }

    /**
     * Submits a job that is due now to the node that has its files; see {@link #submit(String,
     * String)}. It finds the job within some seconds.
     *
     * @param node empty for this server, or for any node
     */
    public boolean submitAt(Optional<String> node, String id, String data) {
        String name = node.map(it -> JobRows.at(kind.name(), it)).orElse(home);
        return submit(name, id, data, clock.instant());
    }

    private boolean submit(String name, String id, String data, Instant at) {
        // Some databases round to fewer digits: rounded up, a job would not be due yet.
        Instant due = at.truncatedTo(ChronoUnit.MILLIS);
        boolean added = scheduler.scheduleIfNotExists(new TaskInstance<>(name, id, data), due);
        if (added && names.contains(name)) {
            wakeAt(due);
        } else if (added) {
            database.afterCommit(wakeUps::elsewhere);
        }
        return added;
    }

    /**
     * Moves a waiting job and resets its failures.
     *
     * @return false where none waits: it runs, or has ended
     */
    public boolean reschedule(String id, Instant at) {
        Instant due = at.truncatedTo(ChronoUnit.MILLIS);
        try {
            boolean moved = scheduler.reschedule(TaskInstanceId.of(home, id), due);
            wakeAt(due);
            return moved;
        } catch (TaskInstanceNotFoundException
                | TaskInstanceCurrentlyExecutingException
                | ExecutionException _) {
            return false;
        }
    }

    /**
     * Cancels a job. A waiting one is removed at once. A running one is interrupted, and removed
     * when its handler returns, whatever the handler returns. One that another node runs ends there
     * as it would have.
     *
     * @return false where there is none
     */
    public boolean cancel(String id) {
        return names.stream().anyMatch(name -> cancel(TaskInstanceId.of(name, id)));
    }

    private boolean cancel(TaskInstanceId job) {
        String id = job.getId();
        Object request = new Object();
        boolean requested = false;
        for (int i = 0; i < RACES; i++) {
            try {
                scheduler.cancel(job);
                boolean _ = running.withdraw(id, request);
                return true;
            } catch (TaskInstanceNotFoundException _) {
                // Ended before the request, or by it.
                return requested && !running.withdraw(id, request);
            } catch (TaskInstanceCurrentlyExecutingException _) {
                if (running.cancel(id) || requested) {
                    // A run ends, and then removes the job; or it is about to begin, and will not.
                    return true;
                }
                running.request(id, request);
                requested = true;
            } catch (ExecutionException _) {
                log.debug("job={} id={} has just begun", kind.name(), id);
            }
        }
        return requested;
    }

    /** Whether such a job waits or runs. */
    boolean contains(String id) {
        return names.stream()
                .anyMatch(
                        name ->
                                scheduler
                                        .getScheduledExecution(TaskInstanceId.of(name, id))
                                        .isPresent());
    }

    private void wakeAt(Instant due) {
        database.afterCommit(() -> wakeUps.at(due, this::poll));
    }

    private CompletionHandler<String> execute(
            TaskInstance<String> instance, ExecutionContext context) {
        int failures = context.getExecution().consecutiveFailures;
        RunningJobs.Run run = running.open(instance.getId());
        RunningJobs.Ended ended =
                traces.run(
                        instance.getId(),
                        context.getExecution().executionTime,
                        failures,
                        () -> run.perform(ending -> outcome(instance, failures, ending)));
        CompletionHandler<String> result = result(ended, context);
        return (complete, operations) -> {
            boolean isStored = false;
            try {
                result.complete(complete, operations);
                isStored = true;
            } finally {
                finish(instance, run.finish(), ended, isStored);
            }
        };
    }

    private CompletionHandler<String> result(RunningJobs.Ended ended, ExecutionContext context) {
        return switch (ended) {
            case RunningJobs.Ended.Canceled() -> (_, operations) -> operations.remove();
            // Still marked as running: the shutdown, or the next start, frees it.
            case RunningJobs.Ended.Stopped() -> (_, _) -> {};
            case RunningJobs.Ended.Returned(var outcome) -> completion(outcome, context);
        };
    }

    /** A cancellation may have come between the end of the run and its result. */
    private void finish(
            TaskInstance<String> job, boolean isLate, RunningJobs.Ended ended, boolean isStored) {
        if (!isStored && (isLate || ended instanceof RunningJobs.Ended.Canceled)) {
            // The job is still there, and would run once more.
            running.request(job.getId(), ended);
        } else if (isLate
                && ended instanceof RunningJobs.Ended.Returned(var outcome)
                && !(outcome instanceof JobOutcome.Done)) {
            boolean _ = cancel(TaskInstanceId.of(job.getTaskName(), job.getId()));
        }
    }

    private JobOutcome outcome(TaskInstance<String> job, int failures, BooleanSupplier ending)
            throws InterruptedException {
        try {
            return kind.handler().run(new JobRun(job.getId(), job.getData(), failures, ending));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | LinkageError | AssertionError e) {
            Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS));
            log.error("job={} id={} failed; next try in {}", kind.name(), job.getId(), pause, e);
            return new JobOutcome.Retry(clock.instant().plus(pause));
        }
    }

    private CompletionHandler<String> completion(JobOutcome outcome, ExecutionContext context) {
        return switch (outcome) {
            case JobOutcome.Done() -> (_, operations) -> operations.remove();
            case JobOutcome.Retry(Instant at) ->
                    (complete, operations) -> {
                        failedRuns.increment();
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
