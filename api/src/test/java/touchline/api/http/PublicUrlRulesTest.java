package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.media.net.AddressRules;

final class PublicUrlRulesTest {
    private static final Map<String, List<InetAddress>> NAMES =
            Map.of(
                    "public.test", addresses("8.8.8.8", "2606:4700::1"),
                    "mixed.test", addresses("8.8.8.8", "10.1.2.3"),
                    "inside.test", addresses("192.168.1.9"));

    @Test
    void url_withPublicHost_isAccepted() {
        for (String url :
                List.of(
                        "https://public.test/board",
                        "http://8.8.8.8:8080/",
                        "https://[2606:4700::1]/",
                        "https://does-not-resolve.test/")) {
            assertTrue(rules().refusal(URI.create(url)).isEmpty(), url);
        }
    }

    @Test
    void url_thatLeadsInside_isRefused() {
        for (String url :
                List.of(
                        "http://127.0.0.1/",
                        "http://[::1]/",
                        "http://[::ffff:127.0.0.1]/",
                        "http://169.254.169.254/latest/meta-data",
                        "http://10.0.0.1/",
                        "https://inside.test/",
                        "https://mixed.test/")) {
            assertTrue(rules().refusal(URI.create(url)).isPresent(), url);
        }
    }

    @Test
    void url_thatTheOperatorAllows_isAccepted() {
        assertTrue(rules("10.1.0.0/16").refusal(URI.create("https://mixed.test/")).isEmpty());
        assertEquals(
                1, rules("10.1.0.0/16").refusal(URI.create("http://10.2.0.1/")).stream().count());
    }

    private static PublicUrlRules rules(String... allowed) {
        return new PublicUrlRules(
                AddressRules.allowing(List.of(allowed)),
                host -> NAMES.getOrDefault(host, List.of()));
    }

    private static List<InetAddress> addresses(String... literals) {
        return List.of(literals).stream().map(InetAddress::ofLiteral).toList();
    }
}
