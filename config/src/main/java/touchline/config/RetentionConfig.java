package touchline.config;

import java.time.Duration;

/**
 * {@code storage.retention-*}: rules for automatic deletion of assets.
 *
 * @param maxAge since the asset was finished; zero: no limit
 * @param maxBytes of all assets together; zero: no limit
 * @param minAge younger assets are never deleted
 * @param onLowSpace whether the oldest assets are deleted when the disk is nearly full
 */
public record RetentionConfig(Duration maxAge, long maxBytes, Duration minAge, boolean onLowSpace) {
    /** No asset is deleted. */
    public static final RetentionConfig OFF =
            new RetentionConfig(Duration.ZERO, 0, Duration.ofHours(1), /* onLowSpace= */ false);

    /** Whether any rule can delete an asset. */
    public boolean isOn() {
        return !maxAge.isZero() || maxBytes > 0 || onLowSpace;
    }
}
