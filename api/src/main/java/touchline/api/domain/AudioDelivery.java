package touchline.api.domain;

import java.util.Optional;

/** How the encoder's audio reaches the viewers. */
public enum AudioDelivery {
    /** The encoder sends no audio. */
    NONE,
    /** In the encoder's codec. */
    UNCHANGED,
    /** In another codec: browsers do not play the encoder's. */
    TRANSCODED;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<AudioDelivery> of(String wireName) {
        return WireNames.find(AudioDelivery.class, wireName);
    }
}
