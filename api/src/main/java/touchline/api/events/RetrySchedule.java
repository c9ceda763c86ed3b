package touchline.api.events;

import java.time.Instant;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.DeliveryOutcome.Next;
import touchline.api.domain.RetryPauses;

/**
 * When a delivery that failed is tried again, and what the events behind it do meanwhile.
 * Immutable; any thread.
 */
final class RetrySchedule {
    /** Later events of the stream wait for so many retries; after that they pass. */
    private static final int RETRIES_IN_ORDER = 2;

    private final RetryPauses pauses;

    /**
     * @param random 0 to 1
     */
    RetrySchedule(DoubleSupplier random) {
        this.pauses = new RetryPauses(random);
    }

    /** How a delivery goes on that has failed. */
    record Step(Next next, Instant dueAt) {}

    /**
     * @param tries how often it was sent, the failure included
     * @param retryAfter what the receiver answered under that name
     */
    Step after(int tries, Instant now, @Nullable String retryAfter) {
        Next waiting = tries <= RETRIES_IN_ORDER ? Next.IN_ORDER : Next.UNORDERED;
        return pauses.after(tries, now, retryAfter)
                .map(pause -> new Step(waiting, now.plus(pause)))
                .orElseGet(() -> new Step(Next.FAILED, now));
    }
}
