package touchline.api.domain;

import java.util.Optional;

/** {@code status} of an asset. */
public enum AssetStatus {
    /** Nothing to play yet. */
    PREPARING,
    /** Can be played; it may still grow. */
    READY,
    /** There is nothing to play, and there will not be: the errors say why. */
    ERRORED;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<AssetStatus> of(String wireName) {
        return WireNames.find(AssetStatus.class, wireName);
    }
}
