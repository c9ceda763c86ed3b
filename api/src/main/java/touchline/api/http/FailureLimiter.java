package touchline.api.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Counts failed authentications by client address, in windows of one second. An IPv6 client counts
 * as its /64, since it owns all of it. Memory is bounded: the least recently seen address is
 * dropped first. Any thread.
 */
final class FailureLimiter {
    private static final int MAX_ADDRESSES = 10_000;
    private static final int IPV6_PREFIX_BYTES = 8;
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);

    private final int perSecond;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Window> windows =
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
                    return size() > MAX_ADDRESSES;
                }
            };

    /**
     * @param perSecond maximum failures of one address in one second
     */
    FailureLimiter(int perSecond, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
    }

    /** Counts a failure; false if this address has exceeded its limit. */
    boolean allows(InetAddress address) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            Window window =
                    windows.compute(
                            key(address),
                            (_, old) ->
                                    old == null || now - old.startNs() >= WINDOW_NS
                                            ? new Window(now, 1)
                                            : new Window(old.startNs(), old.failures() + 1));
            return window.failures() <= perSecond;
        } finally {
            lock.unlock();
        }
    }

    private static String key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of()
                .formatHex(
                        address instanceof Inet6Address
                                ? Arrays.copyOf(bytes, IPV6_PREFIX_BYTES)
                                : bytes);
    }

    private record Window(long startNs, int failures) {}
}
