package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AccessFilterTest {
    private static final String STREAMS = "/live/v1/live-streams";

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void credential_asBearerOrBasicInAnyCase_isTheSame() {
        String basic = ApiFixture.basic("admin", ApiFixture.ADMIN_SECRET);

        for (String header :
                List.of(
                        ApiFixture.ADMIN,
                        ApiFixture.ADMIN.replace("Bearer", "bEaReR"),
                        basic,
                        basic.replace("Basic", "BASIC"))) {
            assertEquals(0, list(Map.of("Authorization", header)).code(), header);
        }
    }

    @Test
    void badCredential_ofAnyKind_is40102WithChallenge() {
        // Ten a second from one address are answered as such, so each comes from its own.
        int host = 1;
        for (String header :
                List.of(
                        "Bearer",
                        "Bearer ",
                        "Bearer x",
                        "Bearer admin.",
                        "Bearer .secret",
                        "Bearer admin.wrong",
                        "Bearer nobody." + ApiFixture.ADMIN_SECRET,
                        "Basic",
                        "Basic !!!",
                        ApiFixture.basic("admin", "wrong"),
                        ApiFixture.basic("no\u0000body", "x"),
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString("admin".getBytes(StandardCharsets.UTF_8)),
                        "Digest username=admin",
                        "Bearer admin." + "x".repeat(5_000))) {
            api.clientAddress("192.0.2." + host++);
            TestReply reply = list(Map.of("Authorization", header));
            assertEquals(40102, reply.code(), header);
            assertEquals("Bearer", reply.header("WWW-Authenticate").orElseThrow());
        }
    }

    @Test
    void failedAuthentications_beyondTenASecond_areLimitedPerAddress() {
        Map<String, String> bad = Map.of("Authorization", "Bearer admin.wrong");
        boolean limited = false;
        // More than ten in a row, however the seconds fall.
        for (int i = 0; i < 200 && !limited; i++) {
            TestReply reply = list(bad);
            limited = reply.code() == 42901;
            if (limited) {
                assertEquals("1", reply.header("Retry-After").orElseThrow());
            } else {
                assertEquals(40102, reply.code());
            }
        }

        assertTrue(limited);
        assertEquals(0, list(Map.of("Authorization", ApiFixture.ADMIN)).code());
        assertEquals(40101, list(Map.of()).code());
        api.clientAddress("192.0.2.77");
        assertEquals(40102, list(bad).code());
    }

    @Test
    void requests_ofForeignSites_areRefusedBeforeTheCredential() {
        for (Map<String, String> headers :
                List.of(
                        Map.of("Sec-Fetch-Site", "cross-site"),
                        Map.of("Sec-Fetch-Site", "cross-site", "Authorization", ApiFixture.ADMIN),
                        Map.of("Origin", "https://evil.test", "Authorization", ApiFixture.ADMIN),
                        Map.of("Origin", "null", "Authorization", ApiFixture.ADMIN),
                        Map.of("Origin", "http://api.test:9", "Authorization", ApiFixture.ADMIN))) {
            TestReply reply = list(headers);
            assertEquals(403, reply.status(), headers.toString());
            assertEquals(40301, reply.code());
            assertTrue(reply.header("Access-Control-Allow-Origin").isEmpty());
        }
    }

    @Test
    void refusal_namesTheHeaderAndWhatWasExpected() {
        String origin =
                message(
                        Map.of(
                                "Origin", "https://live.example",
                                "Host", "127.0.0.1:8080",
                                "Authorization", ApiFixture.ADMIN));
        String site = message(Map.of("Sec-Fetch-Site", "cross-site"));

        assertTrue(origin.contains("Origin: https://live.example"), origin);
        assertTrue(origin.contains("public.api-url"), origin);
        assertTrue(origin.contains("http://api.test:8080"), origin);
        assertTrue(origin.contains("Host of this request, 127.0.0.1:8080"), origin);
        assertTrue(site.contains("Sec-Fetch-Site: cross-site"), site);
        String long1 = message(Map.of("Origin", "https://" + "x".repeat(2_000)));
        assertTrue(long1.length() < 600, long1);
    }

    private String message(Map<String, String> headers) {
        return list(headers).json().get("message").textValue();
    }

    @Test
    void requests_ofTheConsole_areAccepted() {
        for (Map<String, String> headers :
                List.of(
                        Map.of("Origin", "http://api.test:8080", "Sec-Fetch-Site", "same-origin"),
                        Map.of("Origin", "http://lan.test:90", "Host", "lan.test:90"),
                        Map.of("Origin", "http://api.test:8080", "Host", "127.0.0.1:9"),
                        Map.of("Origin", "https://lan.test", "Host", "lan.test:443"),
                        Map.of("Sec-Fetch-Site", "none"))) {
            Map<String, String> all = new java.util.HashMap<>(headers);
            all.put("Authorization", ApiFixture.ADMIN);
            assertEquals(0, list(all).code(), headers.toString());
        }
    }

    @Test
    void replies_carrySecurityHeadersAndNoCors() {
        TestReply reply = api.get(STREAMS);

        assertEquals("nosniff", reply.header("X-Content-Type-Options").orElseThrow());
        assertEquals("DENY", reply.header("X-Frame-Options").orElseThrow());
        assertEquals("no-referrer", reply.header("Referrer-Policy").orElseThrow());
        assertEquals("no-store", reply.header("Cache-Control").orElseThrow());
        assertEquals(
                "default-src 'none'; frame-ancestors 'none'",
                reply.header("Content-Security-Policy").orElseThrow());
        assertTrue(reply.header("Access-Control-Allow-Origin").isEmpty());
    }

    @Test
    void observe_withTokenConfigured_asksForScopeSystem() {
        try (ApiFixture closed = new ApiFixture(TestConfig.of(true))) {
            assertEquals(
                    List.of("system", "system", "system"),
                    closed.routing.routes().stream()
                            .filter(route -> route.path().startsWith("/observe"))
                            .map(route -> route.scopes().getFirst().wireName())
                            .toList());
            assertEquals(200, closed.get("/observe/health/live").status());
        }
    }

    private TestReply list(Map<String, String> headers) {
        return api.call("GET", STREAMS, null, headers);
    }
}
