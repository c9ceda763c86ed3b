package touchline.config;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats durations, sizes, networks and addresses. Every parse method throws
 * IllegalArgumentException or ArithmeticException for invalid text.
 */
final class ValueText {
    private static final Pattern AMOUNT =
            Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?) ?([a-zA-Z]*)");
    private static final Map<String, Long> MILLIS =
            ordered("d", 86_400_000L, "h", 3_600_000L, "m", 60_000L, "s", 1_000L, "ms", 1L);
    private static final Map<String, Long> BYTES =
            ordered(
                    "PiB", 1L << 50, "TiB", 1L << 40, "GiB", 1L << 30, "MiB", 1L << 20, "KiB",
                    1L << 10);

    private ValueText() {}

    /**
     * {@code 250ms}, {@code 1.5s}, {@code 5m}, {@code 1h}, {@code 1d}; a bare number is seconds.
     */
    static Duration parseDuration(String text) {
        return Duration.ofMillis(scaled(text, MILLIS, /* bareUnit= */ 1_000L));
    }

    /** {@code 64KiB} to {@code 1PiB}; a bare number, or one with {@code B}, is bytes. */
    static long parseSize(String text) {
        return scaled(text.endsWith("iB") ? text : text.replaceFirst(" ?B$", ""), BYTES, 1L);
    }

    static String ofDuration(Duration duration) {
        return inLargestUnit(duration.toMillis(), MILLIS, "ms");
    }

    static String ofSize(long bytes) {
        return inLargestUnit(bytes, BYTES, "");
    }

    static Path parsePath(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a path", e);
        }
    }

    /** An address literal with an optional prefix length; performs no DNS lookup. */
    static String checkName(String text) {
        if (!text.matches("(\\*\\.)?[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?")) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    /** As {@link #checkCidr}, without bits behind the prefix: {@code 10.0.0.1/8} is a mistake. */
    static String checkNetwork(String text) {
        int slash = checkCidr(text).indexOf('/');
        if (slash >= 0) {
            byte[] address = InetAddress.ofLiteral(text.substring(0, slash)).getAddress();
            int prefixBits = Integer.parseUnsignedInt(text.substring(slash + 1));
            int hostBits = address.length * Byte.SIZE - prefixBits;
            BigInteger host = BigInteger.ONE.shiftLeft(hostBits).subtract(BigInteger.ONE);
            if (new BigInteger(1, address).and(host).signum() != 0) {
                throw new IllegalArgumentException(text);
            }
        }
        return text;
    }

    /** A host name of the DNS in lower case: no wildcard, no address, no dot at its end. */
    static String checkDomain(String text) {
        String name = checkName(text).toLowerCase(Locale.ROOT);
        if (!name.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?") || name.matches("[0-9.]+")) {
            throw new IllegalArgumentException(text);
        }
        return name;
    }

    static String checkCidr(String text) {
        int slash = text.indexOf('/');
        String literal = slash < 0 ? text : text.substring(0, slash);
        if (!literal.matches("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw new IllegalArgumentException(text);
        }
        int bits = InetAddress.ofLiteral(literal).getAddress().length * Byte.SIZE;
        if (slash >= 0 && Integer.parseUnsignedInt(text.substring(slash + 1)) > bits) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    /** An absolute address without user, query, fragment and trailing slash. */
    static URI parseBaseUrl(String text, Set<String> schemes) {
        try {
            URI uri = new URI(text.replaceFirst("/+$", ""));
            boolean plain =
                    uri.getHost() != null
                            && uri.getUserInfo() == null
                            && uri.getQuery() == null
                            && uri.getFragment() == null
                            && uri.getPort() != 0
                            && uri.getPort() <= 65_535;
            String scheme = uri.getScheme();
            if (!plain || scheme == null || !schemes.contains(scheme)) {
                throw new IllegalArgumentException(text);
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not an address", e);
        }
    }

    private static long scaled(String text, Map<String, Long> units, long bareUnit) {
        Matcher matcher = AMOUNT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        String unit = matcher.group(2);
        Long factor = unit.isEmpty() ? Long.valueOf(bareUnit) : units.get(unit);
        if (factor == null) {
            throw new IllegalArgumentException(text);
        }
        return new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(factor))
                .longValueExact();
    }

    private static String inLargestUnit(long amount, Map<String, Long> units, String smallest) {
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (amount >= unit.getValue() && amount % unit.getValue() == 0) {
                return amount / unit.getValue() + unit.getKey();
            }
        }
        return amount + smallest;
    }

    private static Map<String, Long> ordered(Object... unitsAndFactors) {
        Map<String, Long> units = new LinkedHashMap<>();
        for (int i = 0; i < unitsAndFactors.length; i += 2) {
            units.put((String) unitsAndFactors[i], (Long) unitsAndFactors[i + 1]);
        }
        return units;
    }
}
