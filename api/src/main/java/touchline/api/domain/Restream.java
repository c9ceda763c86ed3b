package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import touchline.media.StreamId;

/**
 * Another server that a live stream is sent on to. Holds no stream key. Immutable.
 *
 * @param name for people; may be empty
 * @param url {@code rtmp://host/app} or {@code rtmps://…}
 * @param enabled whether media is sent while the stream is active
 * @param createdAt cut to milliseconds
 */
public record Restream(
        String id, StreamId stream, String name, String url, boolean enabled, Instant createdAt) {
    /** Of one stream. */
    public static final int MAX_PER_STREAM = 10;

    private static final int RANDOM_BITS = 96;

    public Restream {
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** With a new id. */
    public static Restream create(
            StreamId stream, String name, String url, boolean enabled, Instant at) {
        return new Restream(
                "rst_" + RandomText.ofBits(RANDOM_BITS), stream, name, url, enabled, at);
    }

    public Restream withName(String newName) {
        return new Restream(id, stream, newName, url, enabled, createdAt);
    }

    public Restream withUrl(String newUrl) {
        return new Restream(id, stream, name, newUrl, enabled, createdAt);
    }

    public Restream withEnabled(boolean now) {
        return new Restream(id, stream, name, url, now, createdAt);
    }
}
