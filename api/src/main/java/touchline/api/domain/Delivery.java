package touchline.api.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One event for one endpoint, as its log shows it. Immutable.
 *
 * @param dueAt earliest time of the next attempt; without meaning after the last one
 * @param attempts oldest first, bounded
 * @param finishedAt empty while it is pending
 */
public record Delivery(
        String id,
        String eventId,
        EventType type,
        Status status,
        Instant createdAt,
        Instant dueAt,
        Optional<Instant> finishedAt,
        List<DeliveryAttempt> attempts) {
    private static final int RANDOM_BITS = 96;

    /** The state of a delivery. */
    public enum Status {
        /** Waits for its first attempt or a retry. */
        PENDING,
        SUCCEEDED,
        /** The last retry failed, or the endpoint answered 410. */
        FAILED;

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<Status> of(String wireName) {
            return WireNames.find(Status.class, wireName);
        }
    }

    public Delivery {
        attempts = List.copyOf(attempts);
    }

    /** The same with these attempts. */
    public Delivery with(List<DeliveryAttempt> others) {
        return new Delivery(id, eventId, type, status, createdAt, dueAt, finishedAt, others);
    }

    /** A new identifier; not secret. */
    public static String newId() {
        return "del_" + RandomText.ofBits(RANDOM_BITS);
    }
}
