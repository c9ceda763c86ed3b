package touchline.api.domain;

import java.util.Locale;

/** What a node of a cluster does. */
public enum NodeState {
    UP,
    /** It takes no further streams; those that run go on. */
    DRAINING,
    /** It has stopped, or was declared dead. */
    GONE;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The state of this name.
     *
     * @throws IllegalArgumentException for another name
     */
    public static NodeState of(String wireName) {
        return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
}
