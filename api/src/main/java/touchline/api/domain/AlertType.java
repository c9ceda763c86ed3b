package touchline.api.domain;

import java.util.Optional;

/** What moderation looks for. The order is that of stored scores: new ones go to the end. */
public enum AlertType {
    NUDE,
    WEAPON;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<AlertType> of(String wireName) {
        return WireNames.find(AlertType.class, wireName);
    }
}
