package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class FailureLimiterTest {
    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");

    private long nowNs = Long.MAX_VALUE - 5;
    private final FailureLimiter limiter = new FailureLimiter(10, () -> nowNs);

    @Test
    void eleventhFailure_inOneSecond_isRefused() {
        assertEquals(10, allowedOf(20, ONE));

        nowNs += TimeUnit.MILLISECONDS.toNanos(999);
        assertFalse(limiter.allows(ONE));

        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        assertEquals(10, allowedOf(20, ONE));
    }

    @Test
    void addresses_areCountedApart() {
        allowedOf(20, ONE);

        assertTrue(limiter.allows(InetAddress.ofLiteral("192.0.2.2")));
    }

    @Test
    void ipv6Addresses_ofOne64_areCountedTogether() {
        allowedOf(20, InetAddress.ofLiteral("2001:db8:1:2::1"));

        assertFalse(limiter.allows(InetAddress.ofLiteral("2001:db8:1:2:ffff::9")));
        assertTrue(limiter.allows(InetAddress.ofLiteral("2001:db8:1:3::1")));
    }

    @Test
    void oldestAddress_beyondTheBound_isForgotten() {
        allowedOf(20, ONE);
        for (int i = 0; i < 10_000; i++) {
            limiter.allows(InetAddress.ofLiteral("10.0." + i / 256 + "." + i % 256));
        }

        assertTrue(limiter.allows(ONE));
    }

    private int allowedOf(int failures, InetAddress address) {
        int allowed = 0;
        for (int i = 0; i < failures; i++) {
            allowed += limiter.allows(address) ? 1 : 0;
        }
        return allowed;
    }
}
