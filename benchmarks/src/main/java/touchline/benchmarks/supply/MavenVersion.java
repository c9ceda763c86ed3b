package touchline.benchmarks.supply;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A version in the order of Maven: numbers by value, then qualifiers such as {@code alpha} before
 * and {@code sp} behind the release. Immutable.
 *
 * <p>Source: Maven POM reference, "Version order specification".
 */
final class MavenVersion implements Comparable<MavenVersion> {
    private static final Pattern TOKEN = Pattern.compile("(\\d+)|([a-z]+)");
    private static final int RELEASE = 5;
    private static final int UNKNOWN_QUALIFIER = 7;

    private static final Map<String, Integer> QUALIFIERS =
            Map.ofEntries(
                    Map.entry("alpha", 0),
                    Map.entry("a", 0),
                    Map.entry("beta", 1),
                    Map.entry("b", 1),
                    Map.entry("milestone", 2),
                    Map.entry("m", 2),
                    Map.entry("rc", 3),
                    Map.entry("cr", 3),
                    Map.entry("snapshot", 4),
                    Map.entry("ga", RELEASE),
                    Map.entry("final", RELEASE),
                    Map.entry("release", RELEASE),
                    Map.entry("sp", 6));

    /** A number stands behind all qualifiers. */
    private record Token(int rank, long number, String text) {
        static final Token NOTHING = new Token(RELEASE, 0, "");

        static Token of(Matcher found) {
            String digits = found.group(1);
            if (digits != null) {
                long number = digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
                return number == 0 ? NOTHING : new Token(UNKNOWN_QUALIFIER + 1, number, "");
            }
            int rank = QUALIFIERS.getOrDefault(found.group(2), UNKNOWN_QUALIFIER);
            return new Token(rank, 0, rank == UNKNOWN_QUALIFIER ? found.group(2) : "");
        }

        int compare(Token other) {
            if (rank != other.rank) {
                return Integer.compare(rank, other.rank);
            }
            int numbers = Long.compare(number, other.number);
            return numbers != 0 ? numbers : text.compareTo(other.text);
        }
    }

    private final List<Token> tokens = new ArrayList<>();

    MavenVersion(String text) {
        Matcher matcher = TOKEN.matcher(text.toLowerCase(Locale.ROOT));
        while (matcher.find()) {
            if (matcher.group(1) == null) {
                trim();
            }
            tokens.add(Token.of(matcher));
        }
        trim();
    }

    /** 1.0 is 1, and 1.0-alpha is 1-alpha. */
    private void trim() {
        while (!tokens.isEmpty() && tokens.getLast().equals(Token.NOTHING)) {
            tokens.removeLast();
        }
    }

    @Override
    public int compareTo(MavenVersion other) {
        int most = Math.max(tokens.size(), other.tokens.size());
        for (int i = 0; i < most; i++) {
            int order = at(i).compare(other.at(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private Token at(int index) {
        return index < tokens.size() ? tokens.get(index) : Token.NOTHING;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MavenVersion that && tokens.equals(that.tokens);
    }

    @Override
    public int hashCode() {
        return tokens.hashCode();
    }
}
