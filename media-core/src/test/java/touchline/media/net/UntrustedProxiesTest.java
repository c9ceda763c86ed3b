package touchline.media.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.testing.LogLines;

final class UntrustedProxiesTest {
    private final LogLines log = LogLines.of(UntrustedProxies.class);
    private final UntrustedProxies proxies = new UntrustedProxies();

    @AfterEach
    void leave() {
        log.close();
    }

    @Test
    void peer_thatSendsTheHeaderOften_isNamedOnce() {
        for (int i = 0; i < 100; i++) {
            proxies.ignored(InetAddress.ofLiteral("192.0.2.7"));
        }

        assertEquals(1, log.texts().size());
        assertTrue(log.texts().getFirst().startsWith("X-Forwarded-For of 192.0.2.7 is not read"));
        assertTrue(log.texts().getFirst().contains("http.trusted-proxies"));
    }

    @Test
    void peers_withoutEnd_areNamedUpToALimit() {
        for (int i = 0; i < 1_000; i++) {
            proxies.ignored(InetAddress.ofLiteral("10.0." + i / 250 + "." + i % 250));
        }

        assertEquals(UntrustedProxies.MAX_PEERS, log.texts().size());
    }
}
