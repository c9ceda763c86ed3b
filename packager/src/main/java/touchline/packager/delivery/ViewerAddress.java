package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import touchline.media.net.AddressBlock;
import touchline.media.net.UntrustedProxies;

/**
 * Finds the address of a viewer: the peer of the connection, or the one a trusted proxy names in
 * X-Forwarded-For. Any thread.
 */
final class ViewerAddress {
    private static final AsciiString FORWARDED_FOR = AsciiString.cached("x-forwarded-for");

    private final List<AddressBlock> trusted;
    private final UntrustedProxies untrusted = new UntrustedProxies();

    /**
     * @param trustedProxies CIDRs, or single addresses
     * @throws IllegalArgumentException where one is neither
     */
    ViewerAddress(List<String> trustedProxies) {
        trusted = trustedProxies.stream().map(AddressBlock::around).toList();
    }

    /** The peer's address; loopback where the transport has none. */
    static InetAddress peer(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address
                ? address.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    /** Whether all requests of a connection come from the peer itself. */
    boolean isDirect(Channel channel) {
        return !isTrustedProxy(peer(channel));
    }

    private boolean isTrustedProxy(InetAddress address) {
        return trusted.stream().anyMatch(block -> block.contains(address));
    }

    /**
     * The nearest address that is not a trusted proxy, reading the header from its end: earlier
     * entries are untrusted.
     */
    InetAddress of(Channel channel, HttpHeaders request) {
        InetAddress address = peer(channel);
        if (!isTrustedProxy(address)) {
            if (request.contains(FORWARDED_FOR)) {
                untrusted.ignored(address);
            }
            return address;
        }
        String[] hops = String.join(",", request.getAll(FORWARDED_FOR)).split(",", -1);
        for (int i = hops.length - 1; i >= 0 && isTrustedProxy(address); i--) {
            InetAddress hop = NetUtil.createInetAddressFromIpAddressString(hops[i].strip());
            if (hop == null) {
                return address;
            }
            address = hop;
        }
        return address;
    }
}
