package touchline.media.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A block of addresses in CIDR notation (RFC 4632, 3.1; RFC 4291, 2.3). Immutable, any thread.
 *
 * <p>An IPv4-mapped address (RFC 4291, 2.5.5.2) counts as the IPv4 address inside it.
 */
public final class AddressBlock {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,3}");

    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    private final byte[] network;
    private final int prefixBits;

    private AddressBlock(byte[] network, int prefixBits) {
        this.network = network;
        this.prefixBits = prefixBits;
    }

    /**
     * Reads e.g. {@code 10.0.0.0/8}, {@code fd00::/8}, or a single address. No name is looked up.
     *
     * @throws IllegalArgumentException if it is not a block, or has bits set after its prefix
     */
    public static AddressBlock parse(String text) {
        AddressBlock block = around(text);
        for (int bit = block.prefixBits; bit < block.network.length * 8; bit++) {
            if (((block.network[bit / 8] >> (7 - bit % 8)) & 1) != 0) {
                throw wrong(text + ": bits behind the prefix");
            }
        }
        return block;
    }

    /**
     * Reads the block of an address, such as {@code 10.1.2.3/8}. No name is looked up.
     *
     * @throws IllegalArgumentException if it is not a block
     */
    public static AddressBlock around(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        if (!IPV4.matcher(host).matches() && !IPV6.matcher(host).matches()) {
            throw wrong(text);
        }
        byte[] network = literal(host, text);
        int prefixBits = network.length * 8;
        if (slash >= 0) {
            String length = text.substring(slash + 1);
            if (!LENGTH.matcher(length).matches() || Integer.parseInt(length) > prefixBits) {
                throw wrong(text);
            }
            prefixBits = Integer.parseInt(length);
        }
        return new AddressBlock(network, prefixBits);
    }

    /** Whether the address, or the IPv4 address mapped into it, lies in this block. */
    public boolean contains(InetAddress address) {
        return contains(unmapped(address.getAddress()));
    }

    boolean contains(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        int whole = prefixBits / 8;
        if (!Arrays.equals(address, 0, whole, network, 0, whole)) {
            return false;
        }
        int rest = prefixBits % 8;
        return rest == 0 || ((address[whole] ^ network[whole]) & 0xff) >> (8 - rest) == 0;
    }

    /** The four octets behind {@code ::ffff:0:0/96}; other addresses unchanged. */
    static byte[] unmapped(byte[] address) {
        boolean mapped =
                address.length == 16
                        && Arrays.equals(address, 0, MAPPED.length, MAPPED, 0, MAPPED.length);
        return mapped ? Arrays.copyOfRange(address, MAPPED.length, 16) : address;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AddressBlock that
                && prefixBits == that.prefixBits
                && Arrays.equals(network, that.network);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(network) * 31 + prefixBits;
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(network).getHostAddress() + "/" + prefixBits;
        } catch (UnknownHostException e) {
            throw new IllegalStateException(Arrays.toString(network), e);
        }
    }

    /** The patterns above accept only literals, so no DNS lookup happens. */
    private static byte[] literal(String host, String text) {
        try {
            return InetAddress.ofLiteral(host).getAddress();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(message(text), e);
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(message(text));
    }

    private static String message(String text) {
        return "address block: " + text + " (expected: e.g. 10.0.0.0/8 or fd00::/8)";
    }
}
