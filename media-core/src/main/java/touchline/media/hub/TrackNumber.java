package touchline.media.hub;

/**
 * Identifies one track of a multitrack publisher (Enhanced RTMP v2, {@code videoTrackId} and {@code
 * audioTrackId}). Immutable, any thread.
 *
 * @param number 0 for the first track of its kind, which the session is made of; further tracks
 *     have 1 to 255
 */
public record TrackNumber(boolean video, int number) {
    private static final int MAX_NUMBER = 255;

    public TrackNumber {
        if (number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException(
                    "track number: " + number + " (expected: 0 to " + MAX_NUMBER + ")");
        }
    }

    @Override
    public String toString() {
        return (video ? "video" : "audio") + " track " + number;
    }
}
