package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A named moment of a session or of a clip. Immutable.
 *
 * @param kind what it marks, chosen by clients; empty if they did not say. {@link #SCORE} marks a
 *     change of the score
 * @param timeUs since the first frame shown, as in the recording
 * @param createdAt cut to milliseconds
 */
public record Marker(String id, String label, String kind, long timeUs, Instant createdAt) {
    /** The kind of a change of the score. */
    public static final String SCORE = "score";

    private static final int RANDOM_BITS = 96;

    public Marker {
        if (timeUs < 0) {
            throw new IllegalArgumentException("timeUs: " + timeUs + " (expected: >= 0)");
        }
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** With a new id. */
    public static Marker create(String label, String kind, long timeUs, Instant at) {
        return new Marker("mrk_" + RandomText.ofBits(RANDOM_BITS), label, kind, timeUs, at);
    }

    /**
     * The same moment in a clip.
     *
     * @param startUs of its range, in this marker's time
     * @param clipUs where the range begins in the clip
     */
    public Marker inClip(long startUs, long clipUs) {
        return create(label, kind, timeUs - startUs + clipUs, createdAt);
    }
}
