package touchline.api.http;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts internationalised host names of addresses to ASCII (RFC 3490). Stateless. */
final class AsciiHosts {
    /** Scheme, user, host, and the rest from the port on. */
    private static final Pattern ADDRESS =
            Pattern.compile(
                    "([A-Za-z][A-Za-z0-9+.-]*://)([^/?#@\\\\]*@)?([^/?#:@\\\\]+)(.*)",
                    Pattern.DOTALL);

    /** Letters that older and newer rules convert to different names. */
    private static final Pattern AMBIGUOUS = Pattern.compile("[ßẞς\u200c\u200d]");

    private AsciiHosts() {}

    /**
     * The address with an ASCII host. An address without a host that can be converted stays as it
     * is: the checks of addresses reject it.
     */
    static String of(String address) {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            return address;
        }
        String host = parts.group(3);
        if (StandardCharsets.US_ASCII.newEncoder().canEncode(host)
                || AMBIGUOUS.matcher(host).find()) {
            return address;
        }
        try {
            String user = parts.group(2) == null ? "" : parts.group(2);
            return parts.group(1)
                    + user
                    + IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES)
                    + parts.group(4);
        } catch (IllegalArgumentException _) {
            return address;
        }
    }
}
