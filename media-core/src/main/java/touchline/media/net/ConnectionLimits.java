package touchline.media.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Open connections of a listener, in total and per client address (IPv6: network of 64 bits). Any
 * thread.
 */
public final class ConnectionLimits {
    /** Result of a new connection. */
    public enum Admission {
        OPENED,
        /** Refused: too many in total. */
        LIMIT,
        /** Refused: too many from this address. */
        ADDRESS_LIMIT
    }

    private final int max;
    private final int maxPerAddress;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    private final Predicate<InetAddress> shared;

    /**
     * @param maxPerAddress 0 = off
     * @param shared addresses of many clients, such as trusted proxies: no limit per address
     */
    public ConnectionLimits(int max, int maxPerAddress, Predicate<InetAddress> shared) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
        this.shared = shared;
    }

    /** Counts a new connection, unless there are too many. */
    public Admission tryOpen(InetAddress address) {
        if (open.incrementAndGet() > max) {
            open.decrementAndGet();
            return Admission.LIMIT;
        }
        if (isLimited(address)
                && byAddress.merge(subscriber(address), 1, Integer::sum) > maxPerAddress) {
            close(address);
            return Admission.ADDRESS_LIMIT;
        }
        return Admission.OPENED;
    }

    /** Removes a connection from the count. */
    public void close(InetAddress address) {
        open.decrementAndGet();
        if (isLimited(address)) {
            byAddress.computeIfPresent(
                    subscriber(address), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private boolean isLimited(InetAddress address) {
        return maxPerAddress > 0 && !shared.test(address);
    }

    /** One IPv6 subscriber has a network of 64 bits, all of whose addresses are its own. */
    private static InetAddress subscriber(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] network = address.getAddress();
        Arrays.fill(network, 8, network.length, (byte) 0);
        try {
            return InetAddress.getByAddress(network);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + network.length + " bytes", e);
        }
    }

    /** Returns the connections that are open. */
    public int open() {
        return open.get();
    }

    /** Returns the limited addresses with open connections. */
    int addresses() {
        return byAddress.size();
    }
}
