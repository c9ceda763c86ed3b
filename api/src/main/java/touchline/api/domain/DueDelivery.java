package touchline.api.domain;

import java.time.Instant;

/**
 * A delivery that is to be sent. Immutable.
 *
 * @param apart whether it is sent without regard to the others of its stream
 * @param tries how often it was sent on its present schedule
 * @param attempts how often it was sent at all
 * @param dueAt not before
 */
public record DueDelivery(
        String id, Event event, boolean apart, int tries, int attempts, Instant dueAt) {}
