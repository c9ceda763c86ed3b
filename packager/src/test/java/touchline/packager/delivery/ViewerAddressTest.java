package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The peer of an embedded channel is 127.0.0.1. */
class ViewerAddressTest {
    private static String of(List<String> trusted, String... forwarded) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String value : forwarded) {
            headers.add("X-Forwarded-For", value);
        }
        EmbeddedChannel channel = new EmbeddedChannel();
        try {
            return new ViewerAddress(trusted).of(channel, headers).getHostAddress();
        } finally {
            channel.finish();
        }
    }

    @Test
    void of_strangerWithHeader_isThePeer() {
        assertEquals("127.0.0.1", of(List.of(), "203.0.113.9"));
        assertEquals("127.0.0.1", of(List.of("10.0.0.0/8"), "203.0.113.9"));
    }

    @Test
    void of_trustedProxies_isTheNearestThatIsNone() {
        List<String> trusted = List.of("127.0.0.1", "10.0.0.0/8");
        assertEquals("203.0.113.9", of(trusted, "198.51.100.1, 203.0.113.9, 10.1.2.3"));
        assertEquals("203.0.113.9", of(trusted, "198.51.100.1", "203.0.113.9"));
        assertEquals("10.1.2.3", of(trusted, "not-an-address, 10.1.2.3"));
        assertEquals("127.0.0.1", of(trusted));
    }

    @Test
    void constructor_noCidr_isRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> new ViewerAddress(List.of("localhost/8")));
    }
}
