package touchline.api.domain;

import java.util.Optional;

/** The viewers that a playback id admits. */
public enum PlaybackPolicy {
    /** Every viewer with the id. */
    PUBLIC,
    /** Viewers with a token that a signing key signed. */
    SIGNED;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<PlaybackPolicy> of(String wireName) {
        return WireNames.find(PlaybackPolicy.class, wireName);
    }
}
