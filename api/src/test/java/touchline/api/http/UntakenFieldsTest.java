package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.moderation.AlertType;

/** Fields of a request that a call does not take are named; those that it cannot change refused. */
final class UntakenFieldsTest {
    private static final String STREAMS = "/live/v1/live-streams";
    private static final String HOOKS = "/system/v1/webhooks";

    private ApiFixture api;
    private String stream;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = STREAMS + "/" + api.create("{\"title\": \"a\"}").get("id").textValue();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void create_withMisspelledField_isWarnedOfIt() {
        TestReply reply =
                api.post(STREAMS, "{\"polcy\": \"signed\", \"zebra\": 1, \"title\": \"b\"}");

        assertEquals(
                List.of(
                        "polcy: unknown field, not taken (did you mean policy?)",
                        "zebra: unknown field, not taken"),
                warnings(reply));
        assertEquals("public", reply.data().at("/playback_ids/0/policy").textValue());
        assertEquals("b", reply.data().get("title").textValue());
    }

    @Test
    void create_withFieldsInAnotherSpelling_suggestsTheirNames() {
        Map.of(
                        "latencyMode", "latency_mode",
                        "Record", "record",
                        "recrod", "record",
                        "user-metadata", "user_metadata",
                        "reconect_windw", "reconnect_window")
                .forEach(
                        (sent, meant) ->
                                assertEquals(
                                        List.of(
                                                sent
                                                        + ": unknown field, not taken (did you mean "
                                                        + meant
                                                        + "?)"),
                                        warnings(api.post(STREAMS, "{\"" + sent + "\": 0}"))));
        assertEquals(
                List.of("mode: unknown field, not taken"),
                warnings(api.post(STREAMS, "{\"mode\": null}")));
    }

    @Test
    void nestedObjects_withUnknownFields_areNamedByTheirPath() {
        api.moderation.served.add(AlertType.NUDE);
        String colour = "{\"type\": \"html\", \"url\": \"https://a.example/\", \"colour\": 1}";

        assertEquals(
                List.of("colour: unknown field, not taken"),
                warnings(api.put(stream + "/generated-watermark", colour)));
        assertEquals(
                List.of("generate_watermark.colour: unknown field, not taken"),
                warnings(
                        api.put(
                                stream + "/generated-watermark",
                                "{\"generate_watermark\": " + colour + "}")));
        assertEquals(
                List.of(
                        "generate_watermark.overlay_settings.widht: unknown field, not taken"
                                + " (did you mean width?)",
                        "generate_watermark.page_load_timeout: unknown field, not taken",
                        "audit_settings.interval: unknown field, not taken"),
                warnings(
                        api.post(
                                STREAMS,
                                """
                                {"generate_watermark": {"type": "stream",
                                   "audio_mix_settings": {"mode": "main"},
                                   "overlay_settings": {"widht": "10%"},
                                   "page_load_timeout": 3},
                                 "audit_settings": {"frame_interval": 1, "interval": 2,
                                   "models": {"nude": 0.5}}}
                                """)));
        assertEquals(
                List.of("home.colour: unknown field, not taken (did you mean color?)"),
                warnings(
                        api.put(
                                stream + "/scoreboard",
                                "{\"home\": {\"colour\": \"#ffffff\", \"score\": 1}}")));
    }

    @Test
    void body_ofCallsWithoutFields_isNamedToo() {
        for (TestReply reply :
                List.of(
                        api.post("/live/v1/signing-keys", "{\"name\": \"a\"}"),
                        api.put(stream + "/enable", "{\"name\": \"a\"}"),
                        api.call(
                                "DELETE",
                                stream,
                                "{\"name\": \"a\"}",
                                Map.of("Authorization", ApiFixture.ADMIN)))) {
            assertEquals(List.of("name: unknown field, not taken"), warnings(reply));
        }
        assertEquals(List.of(), warnings(api.post("/live/v1/signing-keys", "no JSON")));
    }

    @Test
    void replayedCall_repeatsItsWarnings() {
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "k");

        TestReply first = api.call("POST", STREAMS, "{\"polcy\": 1}", headers);
        TestReply again = api.call("POST", STREAMS, "{\"polcy\": 1}", headers);

        assertEquals(1, warnings(first).size());
        assertEquals(warnings(first), warnings(again));
        assertEquals(first.data().get("id"), again.data().get("id"));
    }

    @Test
    void create_withFieldsOfTheServer_saysThatTheyAreNotTaken() {
        TestReply reply =
                api.post(
                        STREAMS, "{\"stream_key\": \"mine\", \"status\": \"idle\", \"id\": \"x\"}");

        assertEquals(
                List.of(
                        "stream_key: set by the server, not taken",
                        "id: set by the server, not taken"),
                warnings(reply));
    }

    @Test
    void bodyWithVeryManyUnknownFields_namesSome() {
        StringBuilder body = new StringBuilder("{\"" + "x".repeat(256) + "\": 1");
        for (int i = 0; i < 3_000; i++) {
            body.append(", \"f").append(i).append("\": ").append(i);
        }

        List<String> warnings = warnings(api.post(STREAMS, body.append("}").toString()));

        assertEquals(50, warnings.size());
        assertEquals("x".repeat(64) + "…: unknown field, not taken", warnings.getFirst());
    }

    @Test
    void patch_withAnotherPolicy_isRefusedAndNothingIsApplied() {
        JsonNode before = api.get(stream).data();

        TestReply reply = api.patch(stream, "{\"title\": \"b\", \"policy\": \"signed\"}");

        assertEquals(40002, reply.code());
        assertEquals(List.of("policy"), reply.badFields());
        String message = reply.json().get("message").textValue();
        assertTrue(message.contains("POST /live/v1/live-streams/{id}/playback-ids"), message);
        assertEquals(before, api.get(stream).data());
        for (String same : List.of("\"public\"", "[\"public\"]")) {
            TestReply kept = api.patch(stream, "{\"policy\": " + same + "}");
            assertEquals(0, kept.code(), same);
            assertEquals(List.of(), warnings(kept));
        }
        api.post(stream + "/playback-ids", "{\"policy\": \"signed\"}");
        assertEquals(40002, api.patch(stream, "{\"policy\": \"public\"}").code());
        assertEquals(0, api.patch(stream, "{\"policy\": [\"public\", \"signed\"]}").code());
    }

    @Test
    void patch_withOtherValuesOfFixedFields_namesThemAll() {
        TestReply reply =
                api.patch(
                        stream,
                        """
                        {"id": "x", "stream_key": "k", "stream_url": "rtmp://x/live",
                         "status": "active", "playback_ids": [], "created_at": 1,
                         "active_session_id": "s", "recent_asset_ids": ["a"],
                         "audit_settings": {"frame_interval": 1, "models": {"nude": 1}},
                         "generate_watermark": {"type": "html", "url": "https://a.example/"}}
                        """);

        assertEquals(40002, reply.code());
        assertEquals(
                List.of(
                        "id",
                        "stream_key",
                        "stream_url",
                        "status",
                        "playback_ids",
                        "created_at",
                        "active_session_id",
                        "recent_asset_ids",
                        "audit_settings",
                        "generate_watermark"),
                reply.badFields());
        assertTrue(reply.text().contains("PUT /live/v1/live-streams/{id}/audit-settings"));
    }

    @Test
    void resource_sentBackAsShown_changesNothing() {
        api.moderation.served.add(AlertType.NUDE);
        ObjectNode whole =
                (ObjectNode)
                        api.create(
                                """
                                {"audit_settings": {"frame_interval": 1, "models": {"nude": 1}},
                                 "generate_watermark": {"type": "stream",
                                   "audio_mix_settings": {"mode": "main"}}}
                                """);
        String path = STREAMS + "/" + whole.get("id").textValue();
        JsonNode hook =
                api.post(HOOKS, "{\"url\": \"https://a.example/\", \"events\": [\"*\"]}").data();
        ObjectNode hookShown = (ObjectNode) hook.deepCopy();
        hookShown.remove("secret");

        List<TestReply> replies = new ArrayList<>();
        replies.add(api.patch(path, whole.toString()));
        replies.add(api.put(path + "/audit-settings", whole.get("audit_settings").toString()));
        replies.add(
                api.put(path + "/generated-watermark", whole.get("generate_watermark").toString()));
        replies.add(
                api.put(
                        path + "/generated-watermark",
                        api.put(path + "/generated-watermark", "{}").data().toString()));
        replies.add(
                api.put(
                        path + "/scoreboard",
                        api.get(path + "/scoreboard").data().get("scoreboard").toString()));
        replies.add(api.patch(HOOKS + "/" + hook.get("id").textValue(), hookShown.toString()));

        for (TestReply reply : replies) {
            assertEquals(0, reply.code(), reply::text);
            assertEquals(List.of(), warnings(reply));
        }
        assertEquals(whole, api.get(path).data());
    }

    @Test
    void put_withOtherValuesOfFixedFields_isRefused() {
        api.put(
                stream + "/generated-watermark",
                "{\"type\": \"stream\", \"audio_mix_settings\": {\"mode\": \"main\"}}");
        api.post(stream + "/scoreboard/goals", "{\"team\": \"home\"}");
        String hook =
                HOOKS
                        + "/"
                        + api.post(HOOKS, "{\"url\": \"https://a.example/\", \"events\": [\"*\"]}")
                                .data()
                                .get("id")
                                .textValue();
        JsonNode board = api.get(stream + "/scoreboard").data();

        assertRefused(
                api.put(
                        stream + "/generated-watermark",
                        "{\"stream_key\": \"mine\", \"audio_mix_settings\": {\"volume_main\": 0}}"),
                "stream_key");
        assertRefused(
                api.put(
                        stream + "/audit-settings",
                        """
                        {"live_stream_id": "x",
                         "audit_settings": {"frame_interval": 1, "models": {"nude": 1}}}
                        """),
                "live_stream_id");
        assertRefused(
                api.put(stream + "/scoreboard", "{\"period\": \"2nd half\", \"goal\": null}"),
                "goal");
        assertRefused(
                api.put(
                        stream + "/scoreboard",
                        "{\"period\": \"2nd half\", \"clock\": {\"at_ms\": 1}}"),
                "clock.at_ms");
        assertRefused(api.patch(hook, "{\"secret\": \"whsec_x\"}"), "secret");
        assertEquals(board, api.get(stream + "/scoreboard").data());
        assertFalse(api.get(stream).data().has("audit_settings"));
        assertEquals(
                1,
                api.get(stream)
                        .data()
                        .at("/generate_watermark/audio_mix_settings/volume_main")
                        .intValue());
    }

    private static void assertRefused(TestReply reply, String field) {
        assertEquals(40002, reply.code(), reply::text);
        assertEquals(List.of(field), reply.badFields());
    }

    static List<String> warnings(TestReply reply) {
        assertEquals(0, reply.code(), reply::text);
        List<String> warnings = new ArrayList<>();
        reply.json().path("warnings").forEach(warning -> warnings.add(warning.textValue()));
        return warnings;
    }
}
