package touchline.api.domain;

import java.util.Optional;

/** {@code mp4_support} of a live stream: whether its recordings can be downloaded as MP4. */
public enum Mp4Support {
    NONE("none"),
    CAPPED_1080P("capped-1080p");

    private final String wireName;

    Mp4Support(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    public static Optional<Mp4Support> of(String wireName) {
        for (Mp4Support support : values()) {
            if (support.wireName.equals(wireName)) {
                return Optional.of(support);
            }
        }
        return Optional.empty();
    }
}
