package touchline.media.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
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

    private final IntSupplier max;
    private final IntSupplier maxPerAddress;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    private final Predicate<InetAddress> shared;

    /** The same with limits that never change. */
    public ConnectionLimits(int max, int maxPerAddress, Predicate<InetAddress> shared) {
        this(() -> max, () -> maxPerAddress, shared);
    }

    /**
     * Limits that may change: they hold for new connections.
     *
     * @param maxPerAddress 0 = off
     * @param shared addresses of many clients, such as trusted proxies: no limit per address; its
     *     answers never change
     */
    public ConnectionLimits(
            IntSupplier max, IntSupplier maxPerAddress, Predicate<InetAddress> shared) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
        this.shared = shared;
    }

    /** Counts a new connection, unless there are too many. */
    public Admission tryOpen(InetAddress address) {
        if (open.incrementAndGet() > max.getAsInt()) {
            open.decrementAndGet();
            return Admission.LIMIT;
        }
        if (!tryCount(address)) {
            open.decrementAndGet();
            return Admission.ADDRESS_LIMIT;
        }
        return Admission.OPENED;
    }

    /**
     * Counts an open connection for another address: that of the client behind the one that opened
     * it.
     *
     * @return false where the other address has too many; nothing has changed then
     */
    public boolean move(InetAddress from, InetAddress to) {
        if (!tryCount(to)) {
            return false;
        }
        uncount(from);
        return true;
    }

    private boolean tryCount(InetAddress address) {
        if (shared.test(address)) {
            return true;
        }
        // Counted without a limit too: one may be set while the connection is open.
        int ofAddress = byAddress.merge(subscriber(address), 1, Integer::sum);
        int limit = maxPerAddress.getAsInt();
        if (limit > 0 && ofAddress > limit) {
            uncount(address);
            return false;
        }
        return true;
    }

    /** Removes a connection from the count. */
    public void close(InetAddress address) {
        open.decrementAndGet();
        uncount(address);
    }

    private void uncount(InetAddress address) {
        if (!shared.test(address)) {
            byAddress.computeIfPresent(
                    subscriber(address), (_, count) -> count == 1 ? null : count - 1);
        }
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

    /** Returns the addresses with open connections, without shared ones. */
    int addresses() {
        return byAddress.size();
    }
}
