package touchline.api.domain;

import java.util.Optional;

/** {@code status} of an asset. */
public enum AssetStatus {
    /** Cannot be played yet. */
    PREPARING,
    /** Can be played; it may still grow. */
    READY,
    /** Cannot be played, now or later: the errors say why. */
    ERRORED;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<AssetStatus> of(String wireName) {
        return WireNames.find(AssetStatus.class, wireName);
    }
}
