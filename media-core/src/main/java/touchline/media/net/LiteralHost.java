package touchline.media.net;

import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Parses address literals in every spelling accepted by a client library: {@code 127.0.0.1}, {@code
 * 2130706433}, {@code 0x7f.1}, {@code 017700000001}, {@code [::1]}, {@code ::ffff:127.0.0.1}, each
 * with an optional trailing dot. Performs no DNS lookup.
 */
final class LiteralHost {
    private static final int MAX_LENGTH = 253;
    private static final int MAX_PARTS = 4;

    private LiteralHost() {}

    /** Returns the address of a literal host; empty for a name. */
    static Optional<InetAddress> parse(String host) {
        String bare = host.strip();
        if (bare.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        if (bare.indexOf('%') >= 0 && bare.indexOf(':') < 0) {
            bare = decoded(bare);
        }
        if (bare.startsWith("[") && bare.endsWith("]")) {
            bare = bare.substring(1, bare.length() - 1);
        }
        if (bare.indexOf(':') >= 0) {
            return ipv6(bare);
        }
        return ipv4(ascii(bare));
    }

    /** Removes the zone, which selects the interface and not the address. */
    private static Optional<InetAddress> ipv6(String text) {
        int zone = text.indexOf('%');
        String address = zone < 0 ? text : text.substring(0, zone);
        try {
            return Optional.of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** One to four numbers, the last fills the remaining octets (WHATWG URL, 4.4.1; inet_aton). */
    private static Optional<InetAddress> ipv4(String text) {
        String dotless = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        String[] parts = dotless.split("\\.", -1);
        if (parts.length > MAX_PARTS) {
            return Optional.empty();
        }
        long address = 0;
        for (int i = 0; i < parts.length; i++) {
            OptionalLong number = number(parts[i]);
            boolean last = i == parts.length - 1;
            int bits = last ? 8 * (MAX_PARTS - i) : 8;
            if (number.isEmpty() || number.getAsLong() >= 1L << bits) {
                return Optional.empty();
            }
            address = (address << bits) | number.getAsLong();
        }
        byte[] octets = {
            (byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address
        };
        try {
            return Optional.of(InetAddress.getByAddress(octets));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(text, e);
        }
    }

    private static OptionalLong number(String text) {
        boolean hex = text.startsWith("0x") || text.startsWith("0X");
        boolean octal = !hex && text.length() > 1 && text.startsWith("0");
        String digits = hex ? text.substring(2) : text;
        int radix = hex ? 16 : octal ? 8 : 10;
        // Browsers read "0x" alone as 0.
        if (hex && digits.isEmpty()) {
            return OptionalLong.of(0);
        }
        if (digits.isEmpty() || !digits.chars().allMatch(c -> Character.digit(c, radix) >= 0)) {
            return OptionalLong.empty();
        }
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            value = value * radix + Character.digit(digits.charAt(i), radix);
            if (value > 0xffff_ffffL) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(value);
    }

    /** Browsers percent-decode a host before they parse it (WHATWG URL, 3.5). */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return text;
        }
    }

    /** Full-width digits and dots, which IDNA maps to plain ones (UTS #46, 4). */
    private static String ascii(String text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFKC);
        return plain.replace('\u3002', '.').replace('\uff61', '.');
    }
}
