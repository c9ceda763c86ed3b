package touchline.api.domain;

import java.time.Instant;

/**
 * What an attempt has made of a delivery. Immutable.
 *
 * @param tries on its present schedule, this one included
 * @param dueAt when it is sent next; of no meaning when it is over
 */
public record DeliveryOutcome(
        String delivery, Next next, int tries, Instant dueAt, DeliveryAttempt attempt) {
    /** How it goes on. */
    public enum Next {
        SUCCEEDED,
        /** Sent again, with the later events of its stream behind it. */
        WAITS,
        /** Sent again; later events pass it. */
        APART,
        /** Given up. */
        FAILED
    }
}
