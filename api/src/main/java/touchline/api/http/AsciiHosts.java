package touchline.api.http;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Converts internationalised host names of addresses to ASCII, as browsers do. Stateless. */
final class AsciiHosts {
    /** Scheme, user, host, and the rest from the port on. */
    private static final Pattern ADDRESS =
            Pattern.compile(
                    "([A-Za-z][A-Za-z0-9+.-]*://)([^/?#@\\\\]*@)?([^/?#:@\\\\]+)(.*)",
                    Pattern.DOTALL);

    /** Letters that registries keep (UTS #46), and that RFC 3490 replaces by others. */
    private static final Pattern KEPT = Pattern.compile("[ßẞς]");

    /** RFC 3490, 3.1. */
    private static final Pattern DOT = Pattern.compile("[.。．｡]");

    private static final int MAX_LABEL_CHARS = 63;

    private AsciiHosts() {}

    /**
     * The address with an ASCII host. An address without a host that can be converted stays as it
     * is: the checks of addresses reject it.
     */
    static String of(String address) {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches() || StandardCharsets.US_ASCII.newEncoder().canEncode(parts.group(3))) {
            return address;
        }
        try {
            String user = parts.group(2) == null ? "" : parts.group(2);
            return parts.group(1) + user + host(parts.group(3)) + parts.group(4);
        } catch (IllegalArgumentException _) {
            return address;
        }
    }

    private static String host(String host) {
        return DOT.splitAsStream(host).map(AsciiHosts::label).collect(Collectors.joining("."));
    }

    private static String label(String label) {
        if (!KEPT.matcher(label).find()) {
            return IDN.toASCII(label, IDN.USE_STD3_ASCII_RULES);
        }
        String plain =
                Normalizer.normalize(label, Normalizer.Form.NFKC)
                        .codePoints()
                        .map(Character::toLowerCase)
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString();
        String ascii = "xn--" + Punycode.encoded(plain);
        if (!plain.codePoints().allMatch(AsciiHosts::isOfLabel)
                || plain.startsWith("-")
                || ascii.endsWith("-")
                || ascii.length() > MAX_LABEL_CHARS) {
            throw new IllegalArgumentException("not a label of a host name");
        }
        return ascii;
    }

    private static boolean isOfLabel(int code) {
        return code == '-'
                || Character.isLetterOrDigit(code)
                || Character.getType(code) == Character.NON_SPACING_MARK;
    }
}
