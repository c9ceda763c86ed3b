package touchline.api.domain;

import java.util.Optional;

/** {@code status} of a live stream. ACTIVE is never stored: it means that a session runs. */
public enum StreamStatus {
    IDLE,
    ACTIVE,
    DISABLE;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<StreamStatus> of(String wireName) {
        return WireNames.find(StreamStatus.class, wireName);
    }
}
