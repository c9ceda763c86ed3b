package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import touchline.api.db.ImageRepository;
import touchline.api.db.MarkerRepository;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;
import touchline.api.domain.Marker;
import touchline.api.domain.NodeState;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** The document and the routing describe the same interface, and every operation of it works. */
final class ApiDocumentTest {
    /** Resources that the examples need. */
    private static final String EXAMPLE_ASSET = "ast_of_a_match";

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
    void routes_comparedWithDocument_areTheSame() {
        Set<String> mounted =
                api.routing.routes().stream()
                        .map(r -> r.method().text() + " " + r.path())
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> declared =
                api.document.operations().stream()
                        .map(o -> o.method() + " " + o.path())
                        .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(declared, mounted);
    }

    @Test
    void scopes_comparedWithDocument_areTheSame() {
        for (ApiRoute route : api.routing.routes()) {
            JsonNode operation =
                    api.document.find(route.method().text(), route.path()).orElseThrow().declared();
            List<String> declared = new ArrayList<>();
            operation.get("security").forEach(alternative -> declared.add(alternative.toString()));
            List<String> expected = new ArrayList<>();
            for (Scope scope : route.scopes()) {
                expected.add("{\"bearer\":[\"" + scope.wireName() + "\"]}");
                expected.add("{\"basic\":[\"" + scope.wireName() + "\"]}");
            }
            if (route.path().startsWith("/observe/")) {
                // With api.observe-needs-token they need the scope.
                expected = List.of("{}", "{\"bearer\":[\"system\"]}", "{\"basic\":[\"system\"]}");
            }
            assertEquals(expected, declared, route.path());
            boolean declaresKey =
                    operation.path("parameters").toString().contains("IdempotencyKey");
            assertEquals(
                    route.operation() instanceof ApiRoute.Operation.Creating,
                    declaresKey,
                    route.path());
        }
    }

    /** With the document's own example as body; the fixture holds the reply against the schema. */
    @TestFactory
    List<DynamicTest> operation_calledWithItsExample_succeeds() {
        return api.document.operations().stream()
                .map(
                        o ->
                                DynamicTest.dynamicTest(
                                        o.method() + " " + o.path(), () -> callExample(o)))
                .toList();
    }

    private static void callExample(ApiDocumentCheck.Operation operation) {
        String example = null;
        Map<String, String> headers = Map.of("Authorization", ApiFixture.ADMIN);
        if (operation.declared().has("requestBody") && !takesJson(operation)) {
            example = "a file";
            headers = Map.of("Authorization", ApiFixture.ADMIN, "Content-Type", "image/png");
        } else if (operation.declared().has("requestBody")) {
            example =
                    operation
                            .declared()
                            .at("/requestBody/content/application~1json/example")
                            .toString();
            api.document.checkRequest(operation, example);
            example = EncodingSamples.example(api, example);
            if (example.contains(EXAMPLE_ASSET)) {
                example = example.replace(EXAMPLE_ASSET, api.asset().id().value());
            }
        }
        TestReply reply =
                api.call(operation.method(), prepared(operation.path()), example, headers);

        assertTrue(reply.status() < 300, reply::text);
    }

    @TestFactory
    List<DynamicTest> operationWithBody_withUnknownField_namesIt() {
        return api.document.operations().stream()
                .filter(ApiDocumentTest::takesJson)
                .map(
                        o ->
                                DynamicTest.dynamicTest(
                                        o.method() + " " + o.path(), () -> callWithUnknown(o)))
                .toList();
    }

    private static boolean takesJson(ApiDocumentCheck.Operation operation) {
        return operation.declared().at("/requestBody/content").has("application/json");
    }

    private static void callWithUnknown(ApiDocumentCheck.Operation operation) {
        ObjectNode example =
                (ObjectNode)
                        operation
                                .declared()
                                .at("/requestBody/content/application~1json/example")
                                .deepCopy();
        String body = EncodingSamples.example(api, example.put("zz unknown", 1).toString());
        if (body.contains(EXAMPLE_ASSET)) {
            body = body.replace(EXAMPLE_ASSET, api.asset().id().value());
        }

        TestReply reply =
                api.call(
                        operation.method(),
                        prepared(operation.path()),
                        body,
                        Map.of("Authorization", ApiFixture.ADMIN));

        List<String> warnings = UntakenFieldsTest.warnings(reply);
        assertTrue(warnings.contains("zz unknown: unknown field, not taken"), reply::text);
        assertEquals(
                1,
                warnings.stream().filter(text -> text.contains("not taken")).count(),
                reply::text);
    }

    @TestFactory
    List<DynamicTest> securedOperation_withoutTokenOrScope_isRefused() {
        List<DynamicTest> tests = new ArrayList<>();
        for (ApiRoute route : api.routing.routes()) {
            if (!route.scopes().isEmpty()) {
                tests.add(
                        DynamicTest.dynamicTest(
                                route.method().text() + " " + route.path(),
                                () -> callUnauthorized(route, route.scopes())));
            }
        }
        return tests;
    }

    private static void callUnauthorized(ApiRoute route, List<Scope> scopes) {
        String path = prepared(route.path());
        String method = route.method().text();

        TestReply none = api.call(method, path, null, Map.of());
        assertEquals(40101, none.code());
        assertEquals("Bearer", none.header("WWW-Authenticate").orElseThrow());

        TreeSet<Scope> others = new TreeSet<>(List.of(Scope.values()));
        scopes.forEach(others::remove);
        String bearer = api.bearer(others.toArray(Scope[]::new));
        TestReply lacking = api.call(method, path, null, Map.of("Authorization", bearer));
        assertEquals(40301, lacking.code());
        assertTrue(lacking.json().get("message").asText().contains(scopes.getFirst().wireName()));
    }

    @TestFactory
    List<DynamicTest> operation_withUnknownIds_isNotFound() {
        return api.document.operations().stream()
                .filter(o -> o.path().contains("{"))
                .map(
                        o ->
                                DynamicTest.dynamicTest(
                                        o.method() + " " + o.path(), () -> callUnknown(o)))
                .toList();
    }

    private static void callUnknown(ApiDocumentCheck.Operation operation) {
        String example =
                operation.declared().has("requestBody")
                        ? operation
                                .declared()
                                .at("/requestBody/content/application~1json/example")
                                .toString()
                        : null;
        for (String id : List.of("nothing", "%00", "a%2Fb", "%27%3B--", "x".repeat(2000))) {
            TestReply reply =
                    api.call(
                            operation.method(),
                            operation.path().replaceAll("\\{[a-z_]+}", id),
                            example,
                            Map.of("Authorization", ApiFixture.ADMIN));
            assertEquals(40401, reply.code(), id);
        }
    }

    @TestFactory
    List<DynamicTest> operationWithBody_withBadBodies_isRefused() {
        return api.document.operations().stream()
                .filter(ApiDocumentTest::takesJson)
                .map(
                        o ->
                                DynamicTest.dynamicTest(
                                        o.method() + " " + o.path(), () -> callBadBodies(o)))
                .toList();
    }

    private static void callBadBodies(ApiDocumentCheck.Operation operation) {
        String path = prepared(operation.path());
        Map<String, Integer> codes =
                Map.of(
                        "{",
                        40001,
                        "{} {}",
                        40001,
                        "{\"a\":1,\"a\":2}",
                        40001,
                        "{\"a\":\"\u0001\"}",
                        40001,
                        "[".repeat(100) + "]".repeat(100),
                        40001,
                        "[]",
                        40002,
                        "\"text\"",
                        40002,
                        "null",
                        40002,
                        "{\"a\":NaN}",
                        40002,
                        "{\"a\":1e999}",
                        40002);
        codes.forEach(
                (body, code) ->
                        assertEquals(
                                code,
                                api.call(
                                                operation.method(),
                                                path,
                                                body,
                                                Map.of("Authorization", ApiFixture.ADMIN))
                                        .code(),
                                body));
        Map<String, String> plain =
                Map.of("Authorization", ApiFixture.ADMIN, "Content-Type", "text/plain");
        assertEquals(41501, api.call(operation.method(), path, "{}", plain).code());
        String big = "{\"a\":\"" + "x".repeat(1 << 20) + "\"}";
        Map<String, String> admin = Map.of("Authorization", ApiFixture.ADMIN);
        assertEquals(41301, api.call(operation.method(), path, big, admin).code());
    }

    /** The path with ids of things that are there. */
    private static String prepared(String path) {
        String filled = EncodingSamples.prepared(api, path);
        if (path.contains("/live-streams/{id}")) {
            JsonNode stream =
                    api.create(
                            """
                            {"generate_watermark": {"type": "html", "url": "https://a.example/"},
                             "signal_watch": true}
                            """);
            filled =
                    filled.replace("{id}", stream.get("id").textValue())
                            .replace("{playback_id}", stream.at("/playback_ids/0/id").textValue())
                            .replace("{restream_id}", restream(stream, path))
                            .replace("{link_id}", link(stream, path));
            if (path.endsWith("/source")) {
                StreamId id = new StreamId(stream.get("id").textValue());
                api.patch("/live/v1/live-streams/" + id, "{\"backup\": true}");
                api.live.start(id);
            }
        }
        if (path.contains("/standby/o")) {
            JsonNode stream = api.create("{\"standby\": {\"mode\": \"slate\"}}");
            api.live.start(new StreamId(stream.get("id").textValue()));
            filled = path.replace("{id}", stream.get("id").textValue());
        }
        if (path.contains("/images/{id}")) {
            Image image = Image.create(640, 360, api.now);
            new ImageRepository(api.database).create(image, new ImageFile(new byte[] {1}));
            filled = filled.replace("{id}", image.id());
        }
        if (path.contains("/signing-keys/{id}")) {
            JsonNode key = api.post("/live/v1/signing-keys", null).data();
            filled = filled.replace("{id}", key.get("id").textValue());
        }
        if (path.contains("/nodes/{id}")) {
            api.nodes.all.add(NodeRoutesTest.node("node-1", NodeState.UP));
            filled = filled.replace("{id}", "node-1");
        }
        if (path.contains("/access-tokens/{id}")) {
            String bearer = api.bearer(Scope.LIVE_READ);
            filled =
                    filled.replace(
                            "{id}", bearer.substring("Bearer ".length(), bearer.indexOf('.')));
        }
        if (path.contains("{asset_id}")) {
            filled = filled.replace("{asset_id}", api.asset().id().value());
        }
        if (path.contains("{session_id}")) {
            String id = "ses_" + System.nanoTime();
            StreamId stream = new StreamId(api.create("{}").get("id").textValue());
            api.store(Session.started(new SessionId(id), stream, api.now));
            api.live.positionsUs.put(new SessionId(id), 60_000_000L);
            filled = filled.replace("{session_id}", id);
            if (path.contains("{marker_id}")) {
                Marker marker = Marker.create("Kick-off", "", 0, api.now);
                new MarkerRepository(api.database)
                        .create(MarkerRepository.Owner.of(new SessionId(id)), marker);
                filled = filled.replace("{marker_id}", marker.id());
            }
        }
        if (path.contains("/webhooks/{id}")) {
            filled = webhook(filled);
        }
        // What there is, instead of what will come.
        return AuditSamples.prepared(
                api,
                filled.replace("{file}", "asset.ready.json")
                        .replaceFirst("/events/stream$", "/events/stream?seconds=0"));
    }

    /** A restream of the stream, if the path names one. */
    private static String restream(JsonNode stream, String path) {
        return path.contains("{restream_id}")
                ? api.post(
                                "/live/v1/live-streams/"
                                        + stream.get("id").textValue()
                                        + "/restreams",
                                "{\"url\": \"rtmp://a.example/live\", \"stream_key\": \"key\"}")
                        .data()
                        .get("id")
                        .textValue()
                : "";
    }

    /** A score link of the stream, if the path names one. */
    private static String link(JsonNode stream, String path) {
        return path.contains("{link_id}")
                ? api.post(
                                "/live/v1/live-streams/"
                                        + stream.get("id").textValue()
                                        + "/score-links",
                                "{\"name\": \"phone\", \"expires_in\": 60}")
                        .data()
                        .get("id")
                        .textValue()
                : "";
    }

    /** The path with an endpoint and one of its deliveries. */
    private static String webhook(String path) {
        String hooks = "/system/v1/webhooks";
        String id =
                api.post(hooks, "{\"url\": \"https://a.example/\", \"events\": [\"*\"]}")
                        .data()
                        .get("id")
                        .textValue();
        String filled = path.replace("{id}", id);
        if (path.contains("{delivery_id}")) {
            String delivery =
                    api.post(hooks + "/" + id + "/test", null).data().get("id").textValue();
            filled = filled.replace("{delivery_id}", delivery);
        }
        return filled;
    }
}
