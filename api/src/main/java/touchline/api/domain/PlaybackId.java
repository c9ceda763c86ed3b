package touchline.api.domain;

/**
 * Name under which viewers find a stream. Immutable.
 *
 * @param id made by the server, at least 128 random bits
 */
public record PlaybackId(String id, PlaybackPolicy policy) {
    private static final int RANDOM_BITS = 140;

    public PlaybackId {
        if (id.isBlank()) {
            throw new IllegalArgumentException("playback id: blank");
        }
    }

    /** A new, unguessable id. */
    public static PlaybackId create(PlaybackPolicy policy) {
        return new PlaybackId(RandomText.ofBits(RANDOM_BITS), policy);
    }
}
