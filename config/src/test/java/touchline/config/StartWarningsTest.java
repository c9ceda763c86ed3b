package touchline.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StartWarningsTest {
    @Test
    void api_beyondLoopbackWithoutTls_isWarnedOf() {
        List<String> warnings = warnings(Map.of("TOUCHLINE_API_HOST", "0.0.0.0"));

        assertTrue(warnings.getFirst().startsWith("api.host is 0.0.0.0 without TLS"));
    }

    @Test
    void defaults_warnOnlyAboutLoopbackPublicAddresses() {
        assertEquals(
                List.of(
                        "public.playback-url is http://127.0.0.1:8081: clients on other hosts"
                                + " cannot use it (set public.playback-url to this host's outer"
                                + " address)",
                        "public.rtmp-url is rtmp://127.0.0.1:1935/live: clients on other hosts"
                                + " cannot use it (set public.rtmp-url to this host's outer"
                                + " address)"),
                warnings(Map.of()));
    }

    @Test
    void publicAddresses_given_areNotWarnedOf() {
        assertEquals(
                List.of(),
                warnings(
                        Map.of(
                                "TOUCHLINE_PUBLIC_PLAYBACK_URL", "http://play.example",
                                "TOUCHLINE_RTMP_HOST", "127.0.0.1")));
    }

    private static List<String> warnings(Map<String, String> environment) {
        return StartWarnings.of(new ConfigLoader(environment, Path.of("/opt")).load());
    }
}
