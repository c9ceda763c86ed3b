package touchline.api.events;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts deliveries since the start. Any thread. */
public final class DispatchCounters {
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder givenUp = new LongAdder();
    private final LongAdder disabled = new LongAdder();
    private final LongAdder firstTries = new LongAdder();
    private final LongAdder firstTryNs = new LongAdder();

    /**
     * @param first whether it is the first attempt
     * @param sinceEvent time from the event to the answer
     */
    void succeeded(boolean first, Duration sinceEvent) {
        succeeded.increment();
        if (first) {
            firstTries.increment();
            firstTryNs.add(Math.max(0, sinceEvent.toNanos()));
        }
    }

    void attemptFailed() {
        failed.increment();
    }

    void deliveryGivenUp() {
        givenUp.increment();
    }

    void endpointDisabled() {
        disabled.increment();
    }

    /** Attempts that succeeded. */
    public long succeeded() {
        return succeeded.sum();
    }

    /** Attempts that failed. */
    public long failed() {
        return failed.sum();
    }

    /** Deliveries that failed after their last retry. */
    public long givenUp() {
        return givenUp.sum();
    }

    /** Endpoints that were disabled after failures. */
    public long disabled() {
        return disabled.sum();
    }

    /** Deliveries that succeeded at their first attempt. */
    public long firstTries() {
        return firstTries.sum();
    }

    /** Sum of the times from the event to the answer, of first attempts that succeeded. */
    public double firstTryNs() {
        return firstTryNs.sum();
    }
}
