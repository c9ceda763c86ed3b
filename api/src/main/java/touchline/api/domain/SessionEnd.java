package touchline.api.domain;

import java.util.Optional;
import touchline.media.hub.EndReason;

/** Reason of a session's end. */
public enum SessionEnd {
    /** The reconnect window passed without the encoder. */
    PUBLISHER_GONE,
    COMPLETED,
    DISABLED,
    DELETED,
    /** Packaging it failed; the log says why. */
    FAILED,
    /** The server was stopped normally. */
    SHUTDOWN,
    /** The server crashed or was killed. The next start detects it. */
    INTERRUPTED;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<SessionEnd> of(String wireName) {
        return WireNames.find(SessionEnd.class, wireName);
    }

    /**
     * @throws IllegalArgumentException for reasons that do not end a main session
     */
    public static SessionEnd of(EndReason reason) {
        return switch (reason) {
            case PUBLISHER_GONE -> PUBLISHER_GONE;
            case COMPLETED -> COMPLETED;
            case DISABLED -> DISABLED;
            case DELETED -> DELETED;
            case FAILED -> FAILED;
            case SHUTDOWN -> SHUTDOWN;
            case KEY_RESET, TAKEN_OVER, TIMESTAMP_JUMPS, GAVE_WAY ->
                    throw new IllegalArgumentException(
                            "end reason: " + reason + " (expected: one that ends a session)");
        };
    }
}
