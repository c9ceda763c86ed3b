package touchline.api.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The client's address: the peer's, or the one that a trusted proxy sends in X-Forwarded-For. The
 * header is read from its right end, and only as far as trusted proxies wrote it. Any thread.
 */
final class ClientAddress {
    private final List<Cidr> trustedProxies;

    /**
     * @param trustedProxies CIDRs, e.g. {@code 10.0.0.0/8}
     * @throws IllegalArgumentException if one is malformed
     */
    ClientAddress(List<String> trustedProxies) {
        this.trustedProxies = trustedProxies.stream().map(Cidr::parse).toList();
    }

    InetAddress of(ServerRequest request) {
        InetAddress address = peer(request);
        List<String> hops =
                request.headers().values(HeaderNames.X_FORWARDED_FOR).stream()
                        .flatMap(value -> List.of(value.split(",", -1)).stream())
                        .map(String::strip)
                        .toList();
        for (int i = hops.size() - 1; i >= 0 && trusted(address); i--) {
            try {
                address = InetAddress.ofLiteral(hops.get(i));
            } catch (IllegalArgumentException _) {
                // Not an address ("unknown"): the proxy that wrote it counts instead.
                break;
            }
        }
        return address;
    }

    private boolean trusted(InetAddress address) {
        return trustedProxies.stream().anyMatch(cidr -> cidr.contains(address));
    }

    private static InetAddress peer(ServerRequest request) {
        if (request.remotePeer().address() instanceof InetSocketAddress socket
                && socket.getAddress() != null) {
            return socket.getAddress();
        }
        try {
            return InetAddress.ofLiteral(request.remotePeer().host());
        } catch (IllegalArgumentException _) {
            // A peer without an IP address is on this host.
            return InetAddress.getLoopbackAddress();
        }
    }

    private record Cidr(InetAddress network, int prefixBits) {
        static Cidr parse(String text) {
            int slash = text.indexOf('/');
            InetAddress network =
                    InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int all = network.getAddress().length * Byte.SIZE;
            int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > all) {
                throw new IllegalArgumentException(
                        "http.trusted-proxies: /" + bits + " (expected: /0 to /" + all + ")");
            }
            return new Cidr(network, bits);
        }

        boolean contains(InetAddress address) {
            byte[] a = network.getAddress();
            byte[] b = address.getAddress();
            if (a.length != b.length) {
                return false;
            }
            for (int bit = 0; bit < prefixBits; bit++) {
                int mask = 0x80 >>> (bit % Byte.SIZE);
                if ((a[bit / Byte.SIZE] & mask) != (b[bit / Byte.SIZE] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }
}
