package touchline.api.jobs;

import java.time.Instant;
import touchline.api.trace.Span;
import touchline.api.trace.Tracing;

/**
 * Spans of jobs of one kind: one for each run, from the time at which it was due. Its children are
 * {@code queued}, until the run begins, and {@code run}. Any thread.
 */
final class JobTraces {
    private final String kind;
    private final Tracing tracing;

    /** Work on one job. */
    @FunctionalInterface
    interface Work {
        RunningJobs.Ended run();
    }

    JobTraces(String kind, Tracing tracing) {
        this.kind = kind;
        this.tracing = tracing;
    }

    /**
     * @param id the job's name within its kind
     * @param due not after now
     * @param failures failures in a row so far
     */
    RunningJobs.Ended run(String id, Instant due, int failures, Work work) {
        if (!tracing.isOn()) {
            return work.run();
        }
        try (Span job = tracing.start(Tracing.Kind.JOB, "job " + kind, due)) {
            job.put("touchline.job.kind", kind)
                    .put("touchline.job.id", id)
                    .put("touchline.job.failures", failures);
            job.child("queued", due).close();
            try (Span running = job.child("run")) {
                RunningJobs.Ended ended = work.run();
                String result = result(ended);
                job.put("touchline.job.result", result);
                if (ended instanceof RunningJobs.Ended.Returned(JobOutcome.Retry _)) {
                    running.failed(result);
                    job.failed(result);
                }
                return ended;
            }
        }
    }

    private static String result(RunningJobs.Ended ended) {
        return switch (ended) {
            case RunningJobs.Ended.Canceled() -> "canceled";
            case RunningJobs.Ended.Stopped() -> "stopped";
            case RunningJobs.Ended.Returned(JobOutcome.Done _) -> "done";
            case RunningJobs.Ended.Returned(JobOutcome.Retry _) -> "retry";
            case RunningJobs.Ended.Returned(JobOutcome.Continue _) -> "continue";
        };
    }
}
