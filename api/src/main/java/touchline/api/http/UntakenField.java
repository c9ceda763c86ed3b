package touchline.api.http;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The warnings for fields of a request that a call does not take. Stateless. */
final class UntakenField {
    /** Limits the length of a reply. */
    static final int MAX_NAMED = 50;

    private static final int MAX_NAME_CHARS = 64;

    private UntakenField() {}

    /**
     * @param path of the object, empty for the body
     * @param known the fields that the call takes there
     */
    static String unknown(String path, String name, Collection<String> known) {
        return at(path, name)
                + ": unknown field, not taken"
                + similar(name, known).map(n -> " (did you mean " + n + "?)").orElse("");
    }

    /** For a field of the resource that clients do not set. */
    static String ofServer(String path, String name) {
        return at(path, name) + ": set by the server, not taken";
    }

    private static String at(String path, String name) {
        String shown =
                name.length() > MAX_NAME_CHARS ? name.substring(0, MAX_NAME_CHARS) + "…" : name;
        return path.isEmpty() ? shown : path + "." + shown;
    }

    /** The known name with the fewest changes, or the same one in another spelling. */
    private static Optional<String> similar(String name, Collection<String> known) {
        if (name.length() > MAX_NAME_CHARS) {
            return Optional.empty();
        }
        String asked = plain(name);
        int most = asked.length() > 4 ? 2 : 1;
        Optional<String> best = Optional.empty();
        int fewest = Math.min(most, asked.length() / 2) + 1;
        for (String candidate : known) {
            int changes = changes(asked, plain(candidate));
            if (changes < fewest) {
                fewest = changes;
                best = Optional.of(candidate);
            }
        }
        return best;
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }

    /** Inserted, removed, replaced and exchanged letters (optimal string alignment). */
    private static int changes(String from, String to) {
        int[] twoBefore = new int[to.length() + 1];
        int[] before = new int[to.length() + 1];
        Arrays.setAll(before, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(before[j - 1] + replaced, 1 + Math.min(before[j], row[j - 1]));
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    row[j] = Math.min(row[j], twoBefore[j - 2] + 1);
                }
            }
            twoBefore = before;
            before = row;
        }
        return before[to.length()];
    }
}
