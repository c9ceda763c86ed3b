package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.db.DatabaseDump;
import touchline.api.domain.Scope;

/** Endpoints and deliveries by the API; nothing is sent here. */
final class WebhookRoutesTest {
    private static final String HOOKS = "/system/v1/webhooks";

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private JsonNode hook() {
        return api.post(HOOKS, "{\"url\": \"https://a.test/h\", \"events\": [\"*\"]}").data();
    }

    private String path(JsonNode hook) {
        return HOOKS + "/" + hook.get("id").textValue();
    }

    @Test
    void endpoint_created_showsItsSecretOnce() {
        JsonNode made =
                api.post(
                                HOOKS,
                                """
                                {"url": "https://a.test/h?x=1", "description": "ours",
                                 "events": ["asset.ready", "audit_check", "asset.ready"],
                                 "live_stream_ids": ["str_1"]}
                                """)
                        .data();

        String secret = made.get("secret").textValue();
        assertTrue(secret.matches("whsec_[A-Za-z0-9+/]{43}="), secret);
        assertEquals("enabled", made.get("status").textValue());
        assertEquals("[\"asset.ready\",\"audit_check\"]", made.get("events").toString());
        assertEquals("[\"str_1\"]", made.get("live_stream_ids").toString());
        for (TestReply reply :
                List.of(
                        api.get(path(made)),
                        api.get(HOOKS),
                        api.patch(path(made), "{\"description\": \"\"}"),
                        api.post(path(made) + "/test", null),
                        api.get(path(made) + "/deliveries"),
                        api.get("/system/v1/events"))) {
            assertEquals(200, reply.status(), reply::text);
            assertFalse(reply.text().contains("whsec_"), reply::text);
        }
        assertFalse(DatabaseDump.of(api.database).contains(secret));
    }

    @Test
    void creation_repeatedWithItsKey_carriesNoSecret() {
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "k");
        String body = "{\"url\": \"https://a.test/\", \"events\": [\"*\"]}";
        JsonNode first = api.call("POST", HOOKS, body, headers).data();
        JsonNode second = api.call("POST", HOOKS, body, headers).data();

        assertEquals(first.get("id"), second.get("id"));
        assertTrue(first.has("secret"));
        assertFalse(second.has("secret"));
        assertEquals(1, api.get(HOOKS).json().get("total").asInt());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "{} | 40003 | url,events",
                "{\"url\": \"https://a.test\"} | 40003 | events",
                "{\"url\": \"http://a.test\", \"events\": [\"*\"]} | 40002 | url",
                "{\"url\": \"https://127.0.0.1\", \"events\": [\"*\"]} | 40002 | url",
                "{\"url\": 7, \"events\": [\"*\"]} | 40002 | url",
                "{\"url\": null, \"events\": [\"*\"]} | 40002 | url",
                "{\"url\": \"https://a.test\", \"events\": []} | 40002 | events",
                "{\"url\": \"https://a.test\", \"events\": \"*\"} | 40002 | events",
                "{\"url\": \"https://a.test\", \"events\": [\"live_stream.*\"]} | 40002 | events[0]",
                "{\"url\": \"https://a.test\", \"events\": [\"*\", 1]} | 40002 | events[1]",
                "{\"url\": \"https://a.test\", \"events\": [\"*\"], \"live_stream_ids\": []} | 40002 | live_stream_ids",
                "{\"url\": \"https://a.test\", \"events\": [\"*\"], \"live_stream_ids\": [\"a b\"]} | 40002 | live_stream_ids[0]",
                "{\"url\": \"https://a.test\", \"events\": [\"*\"], \"description\": 1} | 40002 | description"
            })
    void badInput_isRefusedByName(String body, int code, String fields) {
        TestReply reply = api.post(HOOKS, body);

        assertEquals(code, reply.code(), reply::text);
        assertEquals(List.of(fields.split(",", -1)), reply.badFields());
    }

    @Test
    void url_withInternationalisedHost_isStoredInAscii() {
        JsonNode made =
                api.post(HOOKS, "{\"url\": \"https://köln.example/h\", \"events\": [\"*\"]}")
                        .data();

        assertEquals("https://xn--kln-sna.example/h", made.get("url").textValue());
        assertEquals(
                "https://xn--mnchen-3ya.example",
                api.patch(path(made), "{\"url\": \"https://münchen.example\"}")
                        .data()
                        .get("url")
                        .textValue());
    }

    @Test
    void tooLongAddress_isRefused() {
        String url = "https://a.test/" + "x".repeat(2_048);
        TestReply reply = api.post(HOOKS, "{\"url\": \"" + url + "\", \"events\": [\"*\"]}");

        assertEquals(40002, reply.code());
    }

    @Test
    void endpoint_patched_keepsWhatIsAbsent() {
        JsonNode made = hook();
        api.patch(path(made), "{\"live_stream_ids\": [\"str_1\"]}");
        JsonNode disabled = api.patch(path(made), "{\"status\": \"disabled\"}").data();

        assertEquals("disabled", disabled.get("status").textValue());
        assertEquals("requested", disabled.get("disabled_reason").textValue());
        assertEquals("[\"str_1\"]", disabled.get("live_stream_ids").toString());
        assertEquals(40901, api.post(path(made) + "/test", null).code());
        assertEquals(40901, api.post(path(made) + "/replay", "{}").code());
        JsonNode enabled = api.patch(path(made), "{\"status\": \"enabled\"}").data();
        assertFalse(enabled.has("disabled_reason"));
        assertEquals(40002, api.patch(path(made), "{\"status\": \"on\"}").code());
        assertEquals(40002, api.patch(path(made), "{\"url\": \"https://127.0.0.1/\"}").code());
    }

    @Test
    void secret_rotated_isANewOne() {
        JsonNode made = hook();
        JsonNode rotated = api.post(path(made) + "/rotate-secret", null).data();

        assertEquals(made.get("id"), rotated.get("id"));
        assertFalse(made.get("secret").equals(rotated.get("secret")));
    }

    @Test
    void testCall_isADeliveryInTheLog() {
        JsonNode made = hook();
        JsonNode sent = api.post(path(made) + "/test", null).data();

        assertEquals("webhook.test", sent.get("type").textValue());
        assertEquals("pending", sent.get("status").textValue());
        String one = path(made) + "/deliveries/" + sent.get("id").textValue();
        assertEquals(beforeAttempts(sent), beforeAttempts(api.get(one).data()));
        assertEquals(
                beforeAttempts(sent),
                beforeAttempts(api.get(path(made) + "/deliveries?status=pending").data().get(0)));
        assertEquals(0, api.get(path(made) + "/deliveries?status=failed").data().size());
        assertEquals(40002, api.get(path(made) + "/deliveries?status=done").code());
        assertEquals(200, api.post(one + "/replay", null).status());
        JsonNode other = hook();
        assertEquals(
                40401, api.get(path(other) + "/deliveries/" + sent.get("id").textValue()).code());
    }

    /** Without what an attempt in the background adds, at any moment. */
    private static JsonNode beforeAttempts(JsonNode delivery) {
        return ((ObjectNode) delivery.deepCopy()).without(List.of("attempts", "next_attempt_at"));
    }

    @Test
    void replayOfMany_saysHowMany() {
        api.create("{}");
        JsonNode made = hook();
        api.create("{}");
        String path = path(made) + "/replay";

        assertEquals(0, api.post(path, null).data().get("replayed").asInt());
        assertEquals(
                1,
                api.post(path, "{\"status\": \"all\", \"from\": 0}")
                        .data()
                        .get("replayed")
                        .asInt());
        assertEquals(40003, api.post(path, "{\"status\": \"all\"}").code());
        assertEquals(40002, api.post(path, "{\"from\": 5, \"to\": 5}").code());
        assertEquals(40002, api.post(path, "{\"from\": -1}").code());
        assertEquals(40002, api.post(path, "{\"status\": \"pending\"}").code());
    }

    @Test
    void deletedEndpoint_isGoneWithItsLog() {
        JsonNode made = hook();
        api.post(path(made) + "/test", null);

        assertEquals(200, api.delete(path(made)).status());
        assertEquals(40401, api.delete(path(made)).code());
        assertEquals(40401, api.get(path(made) + "/deliveries").code());
    }

    @Test
    void hundredEndpoints_areEnough() {
        for (int i = 0; i < 100; i++) {
            hook();
        }
        assertEquals(
                40901,
                api.post(HOOKS, "{\"url\": \"https://a.test/\", \"events\": [\"*\"]}").code());
    }

    @Test
    void events_areListedByTypeAndStream() {
        JsonNode first = api.create("{}");
        JsonNode second = api.create("{}");
        String events = "/system/v1/events";

        assertEquals(2, api.get(events).json().get("total").asInt());
        assertEquals(second.get("id"), api.get(events).data().get(0).at("/data/live_stream_id"));
        String ofFirst = events + "?live_stream_id=" + first.get("id").textValue();
        assertEquals(1, api.get(ofFirst).json().get("total").asInt());
        assertEquals(0, api.get(events + "?type=asset.ready").json().get("total").asInt());
        assertEquals(40002, api.get(events + "?type=asset").code());
        assertEquals(40002, api.get(events + "?live_stream_id=a%20b").code());
    }

    @Test
    void eventStream_withoutTime_bringsWhatWasMissed() {
        api.create("{}");
        String known = api.get("/system/v1/events").data().get(0).get("id").textValue();
        String missed = api.create("{}").get("id").textValue();

        TestReply reply = api.get("/system/v1/events/stream?seconds=0&after=" + known);

        assertEquals("text/event-stream", reply.header("Content-Type").orElseThrow());
        assertEquals(1, reply.text().lines().filter(l -> l.startsWith("data: ")).count());
        assertTrue(reply.text().contains(missed), reply::text);
        assertEquals(40002, api.get("/system/v1/events/stream?after=nothing").code());
        assertEquals(40002, api.get("/system/v1/events/stream?seconds=3601").code());
    }

    @Test
    void everything_asksForScopeSystem() {
        String bearer = api.bearer(Scope.LIVE_READ, Scope.LIVE_WRITE);
        Map<String, String> headers = Map.of("Authorization", bearer);

        assertEquals(40301, api.call("GET", HOOKS, null, headers).code());
        assertEquals(40301, api.call("GET", "/system/v1/events", null, headers).code());
        assertEquals(40301, api.call("GET", "/system/v1/events/stream", null, headers).code());
    }
}
