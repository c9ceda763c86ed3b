package touchline.config;

import java.time.Duration;

/**
 * {@code storage.retention-*}: which assets are deleted without being asked.
 *
 * @param maxAge since an asset was finished; zero: however old
 * @param maxBytes of all assets together; zero: however large
 * @param minAge no younger one is deleted
 * @param onLowSpace whether the oldest go when the disk is nearly full
 */
public record RetentionConfig(Duration maxAge, long maxBytes, Duration minAge, boolean onLowSpace) {
    /** Nothing is deleted. */
    public static final RetentionConfig OFF =
            new RetentionConfig(Duration.ZERO, 0, Duration.ofHours(1), /* onLowSpace= */ false);

    /** Whether anything is ever deleted. */
    public boolean isOn() {
        return !maxAge.isZero() || maxBytes > 0 || onLowSpace;
    }
}
