package touchline.media.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class UntrustedProxiesTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final UntrustedProxies proxies = new UntrustedProxies();

    @BeforeEach
    void listen() {
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void leave() {
        logger().detachAppender(log);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(UntrustedProxies.class);
    }

    private List<String> warnings() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void peer_thatSendsTheHeaderOften_isNamedOnce() {
        for (int i = 0; i < 100; i++) {
            proxies.ignored(InetAddress.ofLiteral("192.0.2.7"));
        }

        assertEquals(1, warnings().size());
        assertTrue(warnings().getFirst().startsWith("X-Forwarded-For of 192.0.2.7 is not read"));
        assertTrue(warnings().getFirst().contains("http.trusted-proxies"));
    }

    @Test
    void peers_withoutEnd_areNamedUpToALimit() {
        for (int i = 0; i < 1_000; i++) {
            proxies.ignored(InetAddress.ofLiteral("10.0." + i / 250 + "." + i % 250));
        }

        assertEquals(UntrustedProxies.MAX_PEERS, warnings().size());
    }
}
