package touchline.packager.conformance;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a tag, by the letter: names in capitals, no white space, no name twice, and each
 * value read as the type its attribute has (draft-pantos-hls-rfc8216bis-20, 4.2). All methods throw
 * {@link PlaylistSyntaxException}.
 */
final class AttributeList {
    private static final Pattern ATTRIBUTE =
            Pattern.compile("([A-Z0-9-]+)=(\"[^\"\r\n]*\"|[^\",\\s]+)(,|$)");
    private static final Pattern DECIMAL = Pattern.compile("\\d+(\\.\\d+)?");
    private static final Pattern INTEGER = Pattern.compile("\\d{1,18}");
    private static final int US_DIGITS = 6;

    private final Map<String, String> values = new LinkedHashMap<>();

    /**
     * @param text behind the tag's colon
     * @param known names that may stand there
     */
    AttributeList(String text, Set<String> known) {
        Matcher matcher = ATTRIBUTE.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw new PlaylistSyntaxException("attribute list at: " + text.substring(at));
            }
            String name = matcher.group(1);
            if (!known.contains(name)) {
                throw new PlaylistSyntaxException("unknown attribute: " + name);
            }
            if (values.put(name, matcher.group(2)) != null) {
                throw new PlaylistSyntaxException("attribute stands twice: " + name);
            }
            at = matcher.end();
            if (at == text.length() && !matcher.group(3).isEmpty()) {
                throw new PlaylistSyntaxException("comma at the end of: " + text);
            }
        }
        if (values.isEmpty()) {
            throw new PlaylistSyntaxException("attribute list is empty");
        }
    }

    String quoted(String name) {
        String value = required(name);
        if (value.length() < 2 || value.charAt(0) != '"') {
            throw new PlaylistSyntaxException(name + " is no quoted string: " + value);
        }
        return value.substring(1, value.length() - 1);
    }

    String enumerated(String name, Set<String> allowed) {
        String value = required(name);
        if (!allowed.contains(value)) {
            throw new PlaylistSyntaxException(name + ": " + value + " (expected: " + allowed + ")");
        }
        return value;
    }

    /** Whether an attribute whose only value is YES stands there. */
    boolean isYes(String name) {
        return optional(name).isPresent() && enumerated(name, Set.of("YES")).equals("YES");
    }

    int integer(String name) {
        return (int) integer(required(name), Integer.MAX_VALUE);
    }

    long us(String name) {
        return us(required(name), name);
    }

    OptionalLong optionalUs(String name) {
        Optional<String> value = optional(name);
        return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(us(value.get(), name));
    }

    /** A decimal-integer (4.2). */
    static long integer(String text, long max) {
        if (!INTEGER.matcher(text).matches() || Long.parseLong(text) > max) {
            throw new PlaylistSyntaxException("no decimal-integer up to " + max + ": " + text);
        }
        return Long.parseLong(text);
    }

    /** A decimal-floating-point (4.2) in seconds, as microseconds. */
    static long us(String text, String name) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new PlaylistSyntaxException(name + " is no decimal-floating-point: " + text);
        }
        BigDecimal us = new BigDecimal(text).movePointRight(US_DIGITS).stripTrailingZeros();
        if (us.scale() > 0) {
            throw new PlaylistSyntaxException(name + " is finer than microseconds: " + text);
        }
        return us.longValueExact();
    }

    private String required(String name) {
        return optional(name)
                .orElseThrow(() -> new PlaylistSyntaxException("attribute is missing: " + name));
    }

    private Optional<String> optional(String name) {
        @Nullable String value = values.get(name);
        return Optional.ofNullable(value);
    }
}
