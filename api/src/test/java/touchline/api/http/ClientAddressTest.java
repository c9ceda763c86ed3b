package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.http.HeaderNames;
import io.helidon.webclient.http1.Http1ClientRequest;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.testing.junit5.DirectClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.media.net.UntrustedProxies;
import touchline.testing.LogLines;

final class ClientAddressTest {
    @Test
    void address_behindTrustedProxies_isTheNearestUntrustedOne() {
        List<String> trusted = List.of("10.9.0.0/16", "2001:db8::/32", "192.0.2.7");

        assertEquals("203.0.113.5", seen(trusted, "10.9.1.1", "203.0.113.5"));
        assertEquals("203.0.113.5", seen(trusted, "10.9.1.1", "1.1.1.1, 203.0.113.5,10.9.3.3"));
        assertEquals("203.0.113.5", seen(trusted, "192.0.2.7", "203.0.113.5"));
        assertEquals("10.9.1.1", seen(trusted, "10.9.1.1", "unknown"));
        assertEquals("10.9.2.2", seen(trusted, "10.9.1.1", "evil, 10.9.2.2"));
    }

    @Test
    void header_ofAnUntrustedPeer_isNotRead() {
        assertEquals("10.8.1.1", seen(List.of("10.9.0.0/16"), "10.8.1.1", "203.0.113.5"));
        assertEquals("127.0.0.1", seen(List.of(), "127.0.0.1", "203.0.113.5"));
    }

    @Test
    void header_ofAnUntrustedPeer_isWarnedOfOnce() {
        try (LogLines log = LogLines.of(UntrustedProxies.class);
                ApiFixture api = new ApiFixture()) {
            Map<String, String> headers = Map.of("X-Forwarded-For", "203.0.113.5");
            for (String peer : List.of("10.9.1.1", "192.0.2.7", "192.0.2.7")) {
                api.clientAddress(peer);
                api.call("GET", "/observe/health/live", null, headers);
            }

            assertEquals(1, log.texts().size());
            assertTrue(log.texts().getFirst().contains("192.0.2.7"));
        }
    }

    @Test
    void malformedCidr_isRefused() {
        for (String cidr : List.of("10.0.0.0/33", "10.0.0.0/-1", "proxy.test/8", "10.0.0.0/x")) {
            assertThrows(
                    IllegalArgumentException.class, () -> new ClientAddress(List.of(cidr)), cidr);
        }
    }

    private static String seen(List<String> trusted, String peer, String forwardedFor) {
        ClientAddress addresses = new ClientAddress(trusted);
        DirectClient client =
                new DirectClient(
                        HttpRouting.builder()
                                .get(
                                        "/",
                                        (request, response) ->
                                                response.send(
                                                        addresses.of(request).getHostAddress())));
        try {
            client.clientHost(peer);
            Http1ClientRequest request =
                    client.get("/").header(HeaderNames.X_FORWARDED_FOR, forwardedFor);
            return request.requestEntity(String.class);
        } finally {
            client.closeResource();
        }
    }
}
