package touchline.api.jobs;

import java.time.Instant;
import java.util.function.Consumer;
import touchline.api.events.RetryTimer;

/**
 * Wakes webhook endpoints by durable jobs: one job for each endpoint that waits, named by its id.
 * Blocks; any thread.
 */
public final class JobRetryTimer implements RetryTimer {
    private static final String KIND = "webhook-retry";

    /** A job only wakes its endpoint: that takes no time. */
    private static final int PLACES = 2;

    private final JobQueue queue;
    private volatile Consumer<String> due = _ -> {};

    public JobRetryTimer(Jobs jobs) {
        this.queue = jobs.openTimer(KIND, PLACES, this::run);
    }

    @Override
    public void wakes(Consumer<String> woken) {
        due = woken;
    }

    /** Fails while the endpoint's job runs, which ends at once. */
    @Override
    public boolean arrange(String endpoint, Instant at) {
        return queue.submit(endpoint, "", at) || queue.reschedule(endpoint, at);
    }

    /** The endpoint sends what is due and arranges its next time. */
    private JobOutcome run(JobRun run) {
        due.accept(run.id());
        return JobOutcome.DONE;
    }
}
