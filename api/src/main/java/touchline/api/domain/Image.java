package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * An image for slates and scoreboards, as the server keeps it. Immutable.
 *
 * @param width pixels in a row
 * @param height rows
 * @param createdAt cut to milliseconds
 */
public record Image(String id, int width, int height, Instant createdAt) {
    /** Size of its {@link ImageFile}, at most. */
    public static final int MAX_STORED_BYTES = 1_000_000;

    /** Pixels of the longer side, at most; a larger image is scaled down. */
    public static final int MAX_STORED_SIDE = 1_920;

    private static final int RANDOM_BITS = 128;

    public Image {
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A new image. */
    public static Image create(int width, int height, Instant at) {
        return new Image("img_" + RandomText.ofBits(RANDOM_BITS), width, height, at);
    }
}
