package touchline.moderation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A kind of content that models detect; the interface calls it a model name. */
public enum AlertType {
    NUDE,
    WEAPON;

    /** The name in the API: {@code nude}, {@code weapon}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<AlertType> of(String wireName) {
        return Arrays.stream(values()).filter(type -> type.wireName().equals(wireName)).findFirst();
    }
}
