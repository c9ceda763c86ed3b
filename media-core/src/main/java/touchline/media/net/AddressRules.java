package touchline.media.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Addresses to which the server may connect for a client: public ones, and those that the operator
 * allows explicitly. Callers check the address actually used by the connection. So DNS rebinding
 * between check and use has no effect. Performs no DNS lookup. Any thread.
 */
public final class AddressRules {
    /** Not globally reachable, by IANA's special-purpose registries (RFC 6890 and later). */
    private static final List<AddressBlock> REFUSED =
            blocks(
                    // This network, private, shared (CGNAT), loopback, link-local.
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.168.0.0/16",
                    // Protocol assignments, documentation, 6to4 relays, benchmarks.
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    // Multicast, reserved, broadcast.
                    "224.0.0.0/4",
                    "240.0.0.0/4",
                    // Protocol assignments with Teredo and ORCHID, documentation, 6to4, AS112.
                    "2001::/23",
                    "2001:db8::/32",
                    "2002::/16",
                    "2620:4f:8000::/48",
                    "3fff::/20");

    /** All other IPv6 is loopback, mapped, local, multicast or unassigned (RFC 4291, 2.4). */
    private static final AddressBlock GLOBAL_UNICAST = AddressBlock.parse("2000::/3");

    /** NAT64 prefix: the last four octets are the IPv4 address (RFC 6052, 2.1). */
    private static final AddressBlock NAT64 = AddressBlock.parse("64:ff9b::/96");

    private final Supplier<List<AddressBlock>> allowed;

    /**
     * @param allowed blocks that are allowed although not public; may be empty
     */
    public AddressRules(List<AddressBlock> allowed) {
        List<AddressBlock> blocks = List.copyOf(allowed);
        this.allowed = () -> blocks;
    }

    private AddressRules(Supplier<List<AddressBlock>> allowed) {
        this.allowed = allowed;
    }

    /**
     * @param cidrs e.g. {@code 10.0.0.0/8}; blank entries are skipped
     * @throws IllegalArgumentException names the invalid entry
     */
    public static AddressRules allowing(List<String> cidrs) {
        return new AddressRules(blocks(cidrs));
    }

    /**
     * Rules that change with their source: each check asks it.
     *
     * @param cidrs valid ones; the same list as long as nothing has changed
     */
    public static AddressRules following(Supplier<List<String>> cidrs) {
        return new AddressRules(new Following(cidrs));
    }

    /** The parsed blocks of the newest list. */
    private static final class Following implements Supplier<List<AddressBlock>> {
        private record Parsed(List<String> cidrs, List<AddressBlock> blocks) {}

        private final Supplier<List<String>> source;

        /** Volatile: immutable, and two threads may parse the same list. */
        private volatile Parsed parsed;

        Following(Supplier<List<String>> source) {
            this.source = source;
            this.parsed = parse(source.get());
        }

        @Override
        public List<AddressBlock> get() {
            List<String> now = source.get();
            Parsed known = parsed;
            if (!known.cidrs().equals(now)) {
                known = parse(now);
                parsed = known;
            }
            return known.blocks();
        }

        private static Parsed parse(List<String> cidrs) {
            return new Parsed(List.copyOf(cidrs), blocks(cidrs));
        }
    }

    private static List<AddressBlock> blocks(List<String> cidrs) {
        return cidrs.stream()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(AddressBlock::parse)
                .toList();
    }

    /**
     * Whether a connection to this address may be used. Mapped and NAT64 forms are checked by their
     * embedded IPv4 address. 6to4 and Teredo are always rejected: today they only serve to bypass
     * rules.
     */
    public boolean permits(InetAddress address) {
        byte[] octets = AddressBlock.unmapped(address.getAddress());
        if (allowsByName(address)) {
            return true;
        }
        if (NAT64.contains(octets)) {
            return permits(ipv4(Arrays.copyOfRange(octets, 12, 16)));
        }
        boolean global = octets.length == 4 || GLOBAL_UNICAST.contains(octets);
        return global && REFUSED.stream().noneMatch(block -> block.contains(octets));
    }

    /** Whether the operator explicitly allows this address, public or not. */
    public boolean allowsByName(InetAddress address) {
        byte[] octets = AddressBlock.unmapped(address.getAddress());
        return allowed.get().stream().anyMatch(block -> block.contains(octets));
    }

    /**
     * Whether a host is an address literal, in any spelling, that is rejected. Needs no DNS lookup.
     * A name is never rejected here.
     *
     * @param host as written in a URL, with or without brackets and trailing dot
     */
    public boolean refusesLiteral(String host) {
        return LiteralHost.parse(host).filter(address -> !permits(address)).isPresent();
    }

    /**
     * Returns the address of a literal host, in any form accepted by some client (decimal, octal,
     * hexadecimal, short, mapped); empty for a name.
     */
    public static Optional<InetAddress> literal(String host) {
        return LiteralHost.parse(host);
    }

    private static InetAddress ipv4(byte[] octets) {
        try {
            return InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(Arrays.toString(octets), e);
        }
    }

    private static List<AddressBlock> blocks(String... cidrs) {
        List<AddressBlock> blocks = new ArrayList<>();
        for (String cidr : cidrs) {
            blocks.add(AddressBlock.parse(cidr));
        }
        return List.copyOf(blocks);
    }
}
