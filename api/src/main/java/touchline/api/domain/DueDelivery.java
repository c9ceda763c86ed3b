package touchline.api.domain;

import java.time.Instant;

/**
 * A delivery that is to be sent. Immutable.
 *
 * @param isUnordered whether later events of its stream may be sent before it
 * @param tries how often it was sent on its present schedule
 * @param attempts how often it was sent at all
 * @param dueAt not before
 */
public record DueDelivery(
        String id, Event event, boolean isUnordered, int tries, int attempts, Instant dueAt) {}
