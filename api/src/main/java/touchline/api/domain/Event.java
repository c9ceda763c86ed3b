package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import touchline.media.StreamId;

/**
 * Something that has happened, as it is told to every endpoint that asks for it. Immutable.
 *
 * @param place in the order of all events; grows, with gaps
 * @param id the same in every delivery
 * @param stream empty where it is about no live stream
 * @param seq rises by one with each event of the stream, or of those about none
 * @param createdAt cut to milliseconds
 * @param body the JSON that receivers get, byte for byte
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
