package touchline.api.domain;

import java.time.Instant;

/** What becomes of a job that was run. */
public sealed interface JobOutcome {
    JobOutcome DONE = new Done();

    /** Over, well or not: it is gone. */
    record Done() implements JobOutcome {}

    /** Failed; to be tried again then, with one failure more. */
    record Retry(Instant at) implements JobOutcome {}

    /** A step is done; it goes on then, with this data and no failures. */
    record Continue(Instant at, String data) implements JobOutcome {}
}
