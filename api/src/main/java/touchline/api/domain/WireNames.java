package touchline.api.domain;

import java.util.Locale;
import java.util.Optional;

/** Enum constants by the names they have in JSON and in the database. */
final class WireNames {
    private WireNames() {}

    /** {@code PUBLISHER_GONE} is {@code publisher_gone}. */
    static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The constant that is written as this lower-case name; upper case is not accepted. */
    static <E extends Enum<E>> Optional<E> find(Class<E> type, String wireName) {
        for (E constant : type.getEnumConstants()) {
            if (lowerCase(constant).equals(wireName)) {
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }
}
