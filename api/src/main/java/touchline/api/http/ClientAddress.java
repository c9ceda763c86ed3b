package touchline.api.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import touchline.media.net.AddressBlock;
import touchline.media.net.UntrustedProxies;

/**
 * The client's address: the peer's, or the one that a trusted proxy sends in X-Forwarded-For. The
 * header is read from its right end, and only as far as trusted proxies wrote it. Any thread.
 */
final class ClientAddress {
    private final List<AddressBlock> trustedProxies;
    private final UntrustedProxies untrusted = new UntrustedProxies();

    /**
     * @param trustedProxies CIDRs, e.g. {@code 10.0.0.0/8}
     * @throws IllegalArgumentException if one is malformed
     */
    ClientAddress(List<String> trustedProxies) {
        this.trustedProxies = trustedProxies.stream().map(AddressBlock::around).toList();
    }

    /** Warns once of a peer that sends the header and is not trusted. */
    void warnOfUntrusted(ServerRequest request) {
        if (request.headers().contains(HeaderNames.X_FORWARDED_FOR)) {
            InetAddress peer = peer(request);
            if (!trusted(peer)) {
                untrusted.ignored(peer);
            }
        }
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
        return trustedProxies.stream().anyMatch(block -> block.contains(address));
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
}
