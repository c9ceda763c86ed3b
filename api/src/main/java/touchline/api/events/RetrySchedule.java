package touchline.api.events;

import java.time.Instant;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.DeliveryOutcome.Next;
import touchline.api.domain.RetryPauses;

/**
 * The time of the next attempt of a failed delivery, and whether later events of its stream wait.
 * Immutable; any thread.
 */
final class RetrySchedule {
    /** Later events of the stream wait for this many retries. Then they are sent first. */
    private static final int RETRIES_IN_ORDER = 2;

    private final RetryPauses pauses;

    /**
     * @param random 0 to 1
     */
    RetrySchedule(DoubleSupplier random) {
        this.pauses = new RetryPauses(random);
    }

    /** What follows a failed attempt. */
    record Step(Next next, Instant dueAt) {}

    /**
     * @param tries attempts so far, this failure included
     * @param retryAfter the header {@code Retry-After} of the answer
     */
    Step after(int tries, Instant now, @Nullable String retryAfter) {
        Next waiting = tries <= RETRIES_IN_ORDER ? Next.IN_ORDER : Next.UNORDERED;
        return pauses.after(tries, now, retryAfter)
                .map(pause -> new Step(waiting, now.plus(pause)))
                .orElseGet(() -> new Step(Next.FAILED, now));
    }
}
