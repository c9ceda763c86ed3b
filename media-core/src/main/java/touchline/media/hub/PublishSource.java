package touchline.media.hub;

import java.util.Locale;
import java.util.Optional;

/** The publications that a session may have at the same time, each admitted by a key of its own. */
public enum PublishSource {
    PRIMARY,
    BACKUP;

    /** As the API and its events spell it. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The source of that name; empty if there is none. */
    public static Optional<PublishSource> of(String wireName) {
        for (PublishSource each : values()) {
            if (each.wireName().equals(wireName)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** The other publication of the session. */
    PublishSource other() {
        return this == PRIMARY ? BACKUP : PRIMARY;
    }
}
