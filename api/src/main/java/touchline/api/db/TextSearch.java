package touchline.api.db;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Finds rows that contain a text in one of some columns, in upper or lower case. Immutable.
 *
 * @param text as typed; no character of it is a wildcard
 */
record TextSearch(String text) {
    /** Name of the bound {@link #pattern}. */
    static final String PARAMETER = "search";

    /** A condition of SQL. */
    static String in(String... columns) {
        return Arrays.stream(columns)
                .map(column -> "LOWER(" + column + ") LIKE :" + PARAMETER + " ESCAPE '!'")
                .collect(Collectors.joining(" OR ", "(", ")"));
    }

    String pattern() {
        return "%" + text.toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0") + "%";
    }
}
