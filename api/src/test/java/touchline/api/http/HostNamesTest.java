package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HostNamesTest {
    @Test
    void addressesAndNamesWithoutADot_areKnown() {
        HostNames names = new HostNames(List.of());

        for (String host :
                List.of(
                        "",
                        "127.0.0.1",
                        "127.0.0.1:8080",
                        "192.0.2.7:1",
                        "[::1]",
                        "[::1]:8080",
                        "[fe80::1%25eth0]:8080",
                        "localhost",
                        "LOCALHOST:8080",
                        "localhost.",
                        "console.localhost:8080",
                        "touchline:8080")) {
            assertTrue(names.knows(host), host);
        }
    }

    @Test
    void otherNames_areKnownOnlyIfGiven() {
        HostNames names = new HostNames(List.of("API.example.org", "media.lan.", "*.wild.test"));

        for (String host :
                List.of(
                        "api.example.org",
                        "api.example.org.:443",
                        "Media.LAN:8080",
                        "one.wild.test")) {
            assertTrue(names.knows(host), host);
        }
        for (String host :
                List.of(
                        "example.org",
                        "evil.example:8080",
                        "api.example.org.evil.example",
                        "127.0.0.1.evil.example",
                        "localhost.evil.example",
                        "one.two.wild.test",
                        "wild.test")) {
            assertFalse(names.knows(host), host);
        }
    }

    @Test
    void names_ofTheConfiguration_areKnown() {
        HostNames names = HostNames.of(TestConfig.of(false), Optional.empty());

        assertTrue(names.knows("api.test:8080"));
        assertTrue(names.knows("media.lan"));
        assertFalse(names.knows("play.test:8081"));
    }

    /** A page of evil.example whose name resolves to this server. */
    @Test
    void request_forAForeignHost_isRefusedAndTheHeaderNamed() {
        try (ApiFixture api = new ApiFixture()) {
            for (String path :
                    List.of(
                            "/",
                            "/openapi",
                            "/observe/metrics",
                            "/observe/health/live",
                            "/live/v1/live-streams")) {
                TestReply reply =
                        api.call(
                                "GET",
                                path,
                                null,
                                Map.of(
                                        "Host",
                                        "evil.example:8080",
                                        "Authorization",
                                        ApiFixture.ADMIN));

                assertEquals(40301, reply.code(), path);
                String message = reply.json().get("message").textValue();
                assertTrue(message.startsWith("Host: evil.example:8080 is no name"), message);
                assertTrue(message.contains("public.api-url"), message);
            }
            assertEquals(
                    200,
                    api.call(
                                    "GET",
                                    "/live/v1/live-streams",
                                    null,
                                    Map.of(
                                            "Host",
                                            "media.lan:8080",
                                            "Authorization",
                                            ApiFixture.ADMIN))
                            .status());
        }
    }
}
