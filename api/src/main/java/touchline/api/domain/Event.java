package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import touchline.media.StreamId;

/**
 * An event, as every subscribed endpoint receives it. Immutable.
 *
 * @param place in the order of all events; grows, with gaps
 * @param id the same in every delivery
 * @param stream empty where it belongs to no live stream
 * @param seq grows by one with each event of the stream, or of the events without one
 * @param createdAt cut to milliseconds
 * @param body the JSON that receivers receive, byte for byte
 */
public record Event(
        long place,
        String id,
        EventType type,
        Optional<StreamId> stream,
        long seq,
        Instant createdAt,
        String body) {
    private static final int RANDOM_BITS = 128;

    public Event {
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A new identifier; not secret. */
    public static String newId() {
        return "evt_" + RandomText.ofBits(RANDOM_BITS);
    }
}
