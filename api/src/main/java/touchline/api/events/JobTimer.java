package touchline.api.events;

import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;
import touchline.api.domain.JobHandler;
import touchline.api.domain.JobOutcome;
import touchline.api.domain.JobQueue;
import touchline.api.domain.JobRun;

/**
 * The retries of endpoints as durable jobs: one for each endpoint that waits for a time, named by
 * its id. Blocks; any thread.
 */
public final class JobTimer implements RetryTimer {
    /** The name of the kind. */
    public static final String KIND = "webhook-retry";

    private final JobQueue jobs;
    private volatile Consumer<String> due = _ -> {};

    /**
     * @param open opens the kind with its handler
     */
    public JobTimer(Function<JobHandler, JobQueue> open) {
        this.jobs = open.apply(this::run);
    }

    @Override
    public void wakes(Consumer<String> woken) {
        due = woken;
    }

    /** Not while the endpoint's job is running: it ends at once. */
    @Override
    public boolean arrange(String endpoint, Instant at) {
        return jobs.submit(endpoint, "", at) || jobs.reschedule(endpoint, at);
    }

    /** The endpoint finds by itself what is due, and arranges what comes next. */
    private JobOutcome run(JobRun run) {
        due.accept(run.id());
        return JobOutcome.DONE;
    }
}
