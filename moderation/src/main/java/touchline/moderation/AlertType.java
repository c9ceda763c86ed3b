package touchline.moderation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What is looked for in frames: the model names of the interface. */
public enum AlertType {
    NUDE,
    WEAPON;

    /** As the interface spells it: {@code nude}, {@code weapon}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<AlertType> of(String wireName) {
        return Arrays.stream(values()).filter(type -> type.wireName().equals(wireName)).findFirst();
    }
}
