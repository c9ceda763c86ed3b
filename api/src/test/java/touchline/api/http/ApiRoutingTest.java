package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import touchline.api.db.BrokenDatabase;

final class ApiRoutingTest {
    private static final String STREAMS = "/live/v1/live-streams";
    private static final Map<String, String> ADMIN = Map.of("Authorization", ApiFixture.ADMIN);

    private static ApiFixture api;

    @BeforeAll
    static void open() {
        api = new ApiFixture();
    }

    @AfterAll
    static void close() {
        api.close();
    }

    @Test
    void requestId_isAUuidInHeaderAndEnvelope_newEachTime() {
        TestReply one = api.get(STREAMS);
        TestReply two = api.get("/nowhere");

        for (TestReply reply : List.of(one, two)) {
            String id = reply.json().get("request_id").textValue();
            assertEquals(id, UUID.fromString(id).toString());
            assertEquals(id, reply.header("X-Request-Id").orElseThrow());
        }
        assertFalse(one.json().get("request_id").equals(two.json().get("request_id")));
    }

    @Test
    void unknownPath_withAnyMethod_is404WithEnvelope() {
        for (String path :
                List.of(
                        "/nowhere",
                        "/live",
                        "/live/v2/live-streams",
                        STREAMS + "/a/b/c",
                        "/observe",
                        "/observe/info",
                        "/observe/config",
                        "/openapi.yaml",
                        "/index.htm",
                        "/console/index.html",
                        "/../touchline/api/http/openapi.yaml",
                        "/%2e%2e/x")) {
            for (String method : List.of("GET", "POST", "PUT", "DELETE", "OPTIONS")) {
                TestReply reply = api.call(method, path, null, Map.of());
                assertEquals(404, reply.status(), method + " " + path);
                assertEquals(40401, reply.code());
            }
        }
    }

    @Test
    void knownPath_withAnotherMethod_is405WithAllow() {
        Map<String, String> allowed =
                Map.of(
                        STREAMS,
                        "GET, HEAD, POST",
                        STREAMS + "/x",
                        "DELETE, GET, HEAD, PATCH",
                        STREAMS + "/x/disable",
                        "PUT",
                        STREAMS + "/x/audit-settings",
                        "DELETE, PUT",
                        "/openapi",
                        "GET, HEAD",
                        "/observe/metrics",
                        "GET, HEAD");
        allowed.forEach(
                (path, methods) -> {
                    for (String method : List.of("OPTIONS", "TRACE", "BREW")) {
                        TestReply reply = api.call(method, path, null, Map.of());
                        assertEquals(405, reply.status(), method + " " + path);
                        assertEquals(40501, reply.code());
                        assertEquals(methods, reply.header("Allow").orElseThrow());
                    }
                });
    }

    @Test
    void head_isGetWithoutBody() {
        TestReply get = api.get(STREAMS + "?limit=1");
        TestReply head = api.call("HEAD", STREAMS + "?limit=1", null, ADMIN);
        TestReply refused = api.call("HEAD", STREAMS, null, Map.of());

        assertEquals(200, head.status());
        assertEquals(
                get.header("Content-Length").orElseThrow(),
                head.header("Content-Length").orElseThrow());
        assertEquals("application/json", head.header("Content-Type").orElseThrow());
        assertEquals(401, refused.status());
    }

    @Test
    void contentType_ofBody_mustBeJsonInUtf8() {
        for (String type :
                List.of(
                        "application/json",
                        "Application/JSON",
                        "application/json; charset=utf-8",
                        "application/json;charset=UTF-8",
                        "application/json; charset=utf8",
                        "application/json; charset=\"UTF8\"")) {
            assertEquals(0, create(type, "{}").code(), type);
        }
        for (String type :
                List.of(
                        "text/plain",
                        "application/xml",
                        "application/json; charset=iso-8859-1",
                        "application/x-www-form-urlencoded",
                        "json",
                        "")) {
            assertEquals(41501, create(type, "{}").code(), type);
        }
    }

    @Test
    void body_thatIsNotUtf8_is40001() {
        byte[] latin1 = "{\"title\": \"é\"}".getBytes(StandardCharsets.ISO_8859_1);
        byte[] utf16 = "{}".getBytes(StandardCharsets.UTF_16);

        assertEquals(40001, api.callBytes("POST", STREAMS, latin1, ADMIN).code());
        assertEquals(40001, api.callBytes("POST", STREAMS, utf16, ADMIN).code());
    }

    @Test
    void body_ofTheLimit_isTakenAndOneByteMoreIsNot() {
        String start = "{\"unknown\": \"";
        String fits = start + "x".repeat((64 << 10) - start.length() - 2) + "\"}";

        assertEquals(0, api.call("POST", STREAMS, fits, ADMIN).code());
        assertEquals(41301, api.call("POST", STREAMS, fits + " ", ADMIN).code());
    }

    @Test
    void failure_ofOurs_is50001WithoutDetails() {
        try (ApiFixture broken = new ApiFixture()) {
            broken.database.close();

            TestReply reply = broken.get(STREAMS);

            assertEquals(500, reply.status());
            assertEquals(50001, reply.code());
            assertEquals("internal error", reply.json().get("message").textValue());
        }
    }

    @Test
    void databaseThatDoesNotAnswer_is50301() {
        ApiException answer = ApiRouting.failure("GET it", BrokenDatabase.failure());

        assertEquals(ErrorCode.OVERLOADED, answer.code());
        assertEquals(Map.of("Retry-After", "5"), answer.headers());
    }

    @Test
    void health_followsItsParts() {
        try (ApiFixture own = new ApiFixture()) {
            assertEquals("up", own.get("/observe/health/ready").data().get("status").textValue());
            own.health = new HealthReport(false, Map.of("rtmp", "starting", "database", "up"));
            assertEquals(200, own.get("/observe/health/ready?for=playback").status());
            assertEquals(40002, own.get("/observe/health/ready?for=all").code());

            TestReply reply = own.get("/observe/health/ready");

            assertEquals(503, reply.status());
            assertEquals(50301, reply.code());
            assertEquals(List.of("database", "rtmp"), reply.badFields());
            assertEquals(200, own.get("/observe/health/live").status());
        }
    }

    @Test
    void host_saysWhatIsolatesItsChildProcesses() {
        JsonNode isolation = api.get("/system/v1/host").data().get("isolation");

        assertEquals("none", isolation.at("/workers/confinement").textValue());
        assertFalse(isolation.at("/workers/isolated").booleanValue());
        assertFalse(isolation.at("/workers/own_user").booleanValue());
        assertTrue(isolation.at("/workers/low_priority").booleanValue());
        assertTrue(isolation.at("/workers/memory_limit").booleanValue());
        assertTrue(isolation.get("browser").isNull());
        assertEquals(401, api.call("GET", "/system/v1/host", null, Map.of()).status());
    }

    @Test
    void metrics_nameRoutesAndNeitherIdsNorKeys() {
        JsonNode stream = api.create("{}");
        String id = stream.get("id").textValue();
        api.get(STREAMS + "/" + id);
        api.get("/secret-path-of-a-client");

        String metrics = api.get("/observe/metrics").text();

        assertTrue(metrics.contains("route=\"/live/v1/live-streams/{id}\""), metrics);
        assertTrue(metrics.contains("touchline_http_requests_seconds_count"));
        assertFalse(metrics.contains(id));
        assertFalse(metrics.contains(stream.get("stream_key").textValue()));
        assertFalse(metrics.contains("secret-path"));
    }

    @Test
    void openapi_asYamlAndAsJson_isTheSameDocument() throws Exception {
        TestReply yaml = api.call("GET", "/openapi", null, Map.of());
        TestReply json = api.call("GET", "/openapi", null, Map.of("Accept", "application/json"));

        assertEquals("application/yaml", yaml.header("Content-Type").orElseThrow());
        assertEquals(new YAMLMapper().readTree(yaml.text()), json.json());
        assertEquals("3.1.0", json.json().get("openapi").textValue());
    }

    @Test
    void consolePage_isServedWithItsPolicy() {
        TestReply page = api.call("GET", "/", null, Map.of());

        assertEquals(200, page.status());
        assertTrue(page.header("Content-Type").orElseThrow().startsWith("text/html"));
        String policy = page.header("Content-Security-Policy").orElseThrow();
        assertTrue(policy.contains("default-src 'self'"), policy);
        assertTrue(policy.contains("media-src 'self' blob: http://play.test:8081"), policy);
        assertTrue(policy.contains("frame-ancestors 'none'"), policy);
        assertFalse(policy.contains("unsafe"), policy);
        assertEquals(40501, api.call("POST", "/", null, Map.of()).code());
    }

    private static TestReply create(String contentType, String body) {
        return api.call(
                "POST",
                STREAMS,
                body,
                Map.of("Authorization", ApiFixture.ADMIN, "Content-Type", contentType));
    }
}
