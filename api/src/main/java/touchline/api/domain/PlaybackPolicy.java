package touchline.api.domain;

import java.util.Optional;

/** Who may watch under a playback id. */
public enum PlaybackPolicy {
    /** Whoever knows the id. */
    PUBLIC,
    /** Whoever also has a token signed with a signing key. */
    SIGNED;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<PlaybackPolicy> of(String wireName) {
        return WireNames.find(PlaybackPolicy.class, wireName);
    }
}
