package touchline.api.domain;

import java.time.Instant;

/**
 * The result of an attempt. Immutable.
 *
 * @param tries attempts of the present schedule, this one included
 * @param dueAt time of the next attempt; without meaning after the last one
 */
public record DeliveryOutcome(
        String delivery, Next next, int tries, Instant dueAt, DeliveryAttempt attempt) {
    /** What follows the attempt. */
    public enum Next {
        SUCCEEDED,
        /** A retry. Later events of the stream wait for it. */
        IN_ORDER,
        /** A retry. Later events of the stream do not wait for it. */
        UNORDERED,
        /** No further attempt. */
        FAILED
    }
}
