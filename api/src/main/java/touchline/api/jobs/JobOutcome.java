package touchline.api.jobs;

import java.time.Instant;

/** The result of a run: what happens to the job next. */
public sealed interface JobOutcome {
    JobOutcome DONE = new Done();

    /** The job is removed, successful or not. */
    record Done() implements JobOutcome {}

    /** The job failed. It runs again at this time, with one failure more. */
    record Retry(Instant at) implements JobOutcome {}

    /** A step is done. The next one runs at this time, with this data and no failures. */
    record Continue(Instant at, String data) implements JobOutcome {}
}
