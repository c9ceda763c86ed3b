package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Finds the address of a viewer: the peer of the connection, or the one a trusted proxy names in
 * X-Forwarded-For. Any thread.
 */
final class ViewerAddress {
    private static final AsciiString FORWARDED_FOR = AsciiString.cached("x-forwarded-for");

    private final List<IpSubnetFilterRule> trusted;

    /**
     * @param trustedProxies CIDRs, or single addresses
     * @throws IllegalArgumentException where one is neither
     */
    ViewerAddress(List<String> trustedProxies) {
        trusted = trustedProxies.stream().map(ViewerAddress::rule).toList();
    }

    /** The peer's address; loopback where the transport has none. */
    static InetAddress peer(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address
                ? address.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    boolean isTrustedProxy(InetAddress address) {
        if (trusted.isEmpty()) {
            return false;
        }
        InetSocketAddress socketAddress = new InetSocketAddress(address, 0);
        return trusted.stream().anyMatch(rule -> rule.matches(socketAddress));
    }

    /**
     * The nearest address that is not a trusted proxy, reading the header from its end: earlier
     * entries are untrusted.
     */
    InetAddress of(Channel channel, HttpHeaders request) {
        InetAddress address = peer(channel);
        if (!isTrustedProxy(address)) {
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

    private static IpSubnetFilterRule rule(String cidr) {
        int slash = cidr.indexOf('/');
        InetAddress network =
                NetUtil.createInetAddressFromIpAddressString(
                        slash < 0 ? cidr : cidr.substring(0, slash));
        if (network == null) {
            throw new IllegalArgumentException("trusted proxy: " + cidr + " (expected: a CIDR)");
        }
        int bits = network.getAddress().length * 8;
        int prefix = slash < 0 ? bits : Integer.parseInt(cidr, slash + 1, cidr.length(), 10);
        return new IpSubnetFilterRule(network, prefix, IpFilterRuleType.ACCEPT);
    }
}
