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

    /** The same for rows of a live stream, whose title and metadata are searched too. */
    static String inRowOrStream(String... columns) {
        return "("
                + in(columns)
                + " OR stream_id IN (SELECT s.id FROM live_streams s WHERE "
                + in("s.title", "s.user_metadata")
                + "))";
    }

    String pattern() {
        return "%" + text.toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0") + "%";
    }
}
