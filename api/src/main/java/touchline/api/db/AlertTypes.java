package touchline.api.db;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import touchline.moderation.AlertType;

/** Alert types as text that can be searched: {@code ,nude,weapon,}; {@code ,} for none. */
final class AlertTypes {
    private AlertTypes() {}

    static String write(Collection<AlertType> types) {
        return types.stream()
                .sorted()
                .map(type -> type.wireName() + ",")
                .collect(Collectors.joining("", ",", ""));
    }

    static Set<AlertType> read(String text) {
        Set<AlertType> types = EnumSet.noneOf(AlertType.class);
        for (AlertType type : AlertType.values()) {
            if (text.contains(pattern(type))) {
                types.add(type);
            }
        }
        return types;
    }

    /** The part of a text that names this type. */
    static String pattern(AlertType type) {
        return "," + type.wireName() + ",";
    }
}
