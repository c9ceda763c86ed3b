package touchline.packager.delivery;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How many connections are open, in total and for each address. Any thread. */
final class ConnectionLimits {
    private final int max;
    private final int maxPerAddress;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    /**
     * @param maxPerAddress 0 = off
     */
    ConnectionLimits(int max, int maxPerAddress) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
    }

    /** Counts a connection in; where it answers false there are too many, and nothing changed. */
    boolean tryOpen(InetAddress address) {
        if (open.incrementAndGet() > max) {
            open.decrementAndGet();
            return false;
        }
        if (maxPerAddress > 0 && byAddress.merge(address, 1, Integer::sum) > maxPerAddress) {
            close(address);
            return false;
        }
        return true;
    }

    /** Counts a connection out again. */
    void close(InetAddress address) {
        open.decrementAndGet();
        if (maxPerAddress > 0) {
            byAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    int open() {
        return open.get();
    }

    int addresses() {
        return byAddress.size();
    }
}
