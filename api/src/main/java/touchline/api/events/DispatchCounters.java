package touchline.api.events;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** What became of deliveries, since the start. Any thread. */
public final class DispatchCounters {
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder givenUp = new LongAdder();
    private final LongAdder disabled = new LongAdder();
    private final LongAdder firstTries = new LongAdder();
    private final LongAdder firstTryNs = new LongAdder();

    /**
     * @param first whether it is the first attempt
     * @param sinceEvent from the event to the answer
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

    /** Attempts that were answered with success. */
    public long succeeded() {
        return succeeded.sum();
    }

    /** Attempts that were not. */
    public long failed() {
        return failed.sum();
    }

    /** Deliveries after their last retry. */
    public long givenUp() {
        return givenUp.sum();
    }

    /** Endpoints that were disabled because of their failures. */
    public long disabled() {
        return disabled.sum();
    }

    /** Deliveries that succeeded at once. */
    public long firstTries() {
        return firstTries.sum();
    }

    /** From the event to the answer, of all those together. */
    public double firstTryNs() {
        return firstTryNs.sum();
    }
}
