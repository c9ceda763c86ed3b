package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.media.StreamId;

/** In a PATCH or PUT that merges, null takes an optional field back to its default. */
final class MergeDefaultsTest {
    private static final String STREAMS = "/live/v1/live-streams";
    private static final String PAGE = "\"url\": \"https://a.example/\"";

    private ApiFixture api;
    private String id;
    private String watermark;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        id = api.create("{}").get("id").textValue();
        watermark = STREAMS + "/" + id + "/generated-watermark";
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void patchStream_withNulls_hasTheDefaults() {
        JsonNode defaults = api.create("{}");
        String path =
                STREAMS
                        + "/"
                        + api.create(
                                        """
                                        {"title": "a", "user_metadata": "m", "record": true,
                                         "latency_mode": "low", "reconnect_window": 5,
                                         "mp4_support": "none", "renditions": "auto",
                                         "signal_watch": true}
                                        """)
                                .get("id")
                                .textValue();

        JsonNode after =
                api.patch(
                                path,
                                """
                                {"title": null, "user_metadata": null, "record": null,
                                 "latency_mode": null, "reconnect_window": null,
                                 "mp4_support": null, "renditions": null,
                                 "signal_watch": null}
                                """)
                        .data();

        for (String field :
                List.of(
                        "title",
                        "user_metadata",
                        "record",
                        "latency_mode",
                        "reconnect_window",
                        "mp4_support",
                        "renditions")) {
            assertEquals(defaults.get(field), after.get(field), field);
        }
        assertEquals(40002, api.post(STREAMS, "{\"title\": null}").code());
    }

    @Test
    void putWatermark_withNulls_takesFieldsBack() {
        api.put(
                watermark,
                "{\"type\": \"html\", "
                        + PAGE
                        + ", \"page_load_timeout\": 3, \"overlay_settings\":"
                        + " {\"width\": \"20%\", \"height\": \"10%\", \"opacity\": \"50%\"}}");

        JsonNode some =
                put("{\"page_load_timeout\": null, \"overlay_settings\": {\"width\": null}}");
        assertEquals(10, some.get("page_load_timeout").intValue());
        assertFalse(some.get("overlay_settings").has("width"));
        assertEquals("10%", some.at("/overlay_settings/height").textValue());
        assertFalse(put("{\"overlay_settings\": null}").has("overlay_settings"));
    }

    @Test
    void putWatermark_withNullVolumes_hasTheDefaults() {
        put(
                """
                {"type": "stream", "audio_mix_settings":
                   {"mode": "mix", "volume_main": 0.25, "volume_secondary": 0.5}}
                """);

        JsonNode mix =
                put("{\"audio_mix_settings\": {\"volume_main\": null}}").get("audio_mix_settings");

        assertEquals(1, mix.get("volume_main").doubleValue());
        assertEquals(0.5, mix.get("volume_secondary").doubleValue());
    }

    @Test
    void putWatermark_withNullOfARequiredField_isRefused() {
        put("{\"type\": \"html\", " + PAGE + "}");

        for (String field : List.of("type", "url")) {
            TestReply reply = api.put(watermark, "{\"" + field + "\": null}");
            assertEquals(40002, reply.code());
            assertEquals(List.of(field), reply.badFields());
        }
        assertEquals(
                40002,
                api.post(
                                STREAMS,
                                "{\"generate_watermark\": {\"type\": \"html\", "
                                        + PAGE
                                        + ", \"page_load_timeout\": null}}")
                        .code());
    }

    @Test
    void putWatermark_whileActive_comparesTheDefaults() {
        put("{\"type\": \"html\", " + PAGE + "}");
        api.live.start(new StreamId(id));

        assertEquals(0, api.put(watermark, "{\"overlay_settings\": null}").code());
        assertEquals(0, api.put(watermark, "{\"overlay_settings\": {\"opacity\": null}}").code());
    }

    @Test
    void wrongState_ofTheLook_namesTheCallThatHelps() {
        put("{\"type\": \"html\", " + PAGE + "}");
        String other = "{\"overlay_settings\": {\"width\": \"20%\"}}";
        api.live.start(new StreamId(id));
        TestReply active = api.put(watermark, other);
        api.put(STREAMS + "/" + id + "/disable", null);
        TestReply disabled = api.put(watermark, other);

        assertEquals(
                "overlay_settings change while the live stream is idle only: end the session first"
                        + " (PUT /live/v1/live-streams/{id}/complete)",
                active.json().get("message").textValue());
        assertEquals(
                "overlay_settings change while the live stream is idle only: enable it first"
                        + " (PUT /live/v1/live-streams/{id}/enable)",
                disabled.json().get("message").textValue());
        assertEquals(40901, active.code());
        assertEquals(40901, disabled.code());
    }

    @Test
    void patchWebhook_withNulls_hasTheDefaults() {
        String hooks = "/system/v1/webhooks";
        JsonNode made =
                api.post(
                                hooks,
                                """
                                {"url": "https://a.example/", "events": ["asset.ready"],
                                 "description": "d", "live_stream_ids": ["str_1"]}
                                """)
                        .data();
        String path = hooks + "/" + made.get("id").textValue();
        api.patch(path, "{\"status\": \"disabled\"}");

        JsonNode after =
                api.patch(
                                path,
                                """
                                {"description": null, "live_stream_ids": null, "status": null}
                                """)
                        .data();

        assertEquals("", after.get("description").textValue());
        assertFalse(after.has("live_stream_ids"));
        assertEquals("enabled", after.get("status").textValue());
        assertEquals(40002, api.patch(path, "{\"url\": null}").code());
        assertEquals(40002, api.patch(path, "{\"events\": null}").code());
    }

    @Test
    void putScoreboard_withNulls_hasTheDefaults() {
        String path = STREAMS + "/" + id + "/scoreboard";
        JsonNode defaults = api.get(path).data().get("scoreboard");
        api.put(
                path,
                """
                {"visible": false, "period": "2nd half",
                 "home": {"name": "A", "short_name": "A", "color": "#000000", "score": 3},
                 "away": {"name": "B", "score": 2},
                 "clock": {"running": true, "elapsed_ms": 5000}}
                """);

        JsonNode after =
                api.put(
                                path,
                                """
                                {"visible": null, "period": null, "away": null,
                                 "home": {"name": null, "score": null},
                                 "clock": {"running": null, "elapsed_ms": null}}
                                """)
                        .data()
                        .get("scoreboard");

        assertEquals(defaults.get("visible"), after.get("visible"));
        assertEquals(defaults.get("period"), after.get("period"));
        assertEquals(defaults.get("away"), after.get("away"));
        assertEquals(defaults.at("/home/name"), after.at("/home/name"));
        assertEquals(0, after.at("/home/score").intValue());
        assertEquals("#000000", after.at("/home/color").textValue());
        assertFalse(after.at("/clock/running").booleanValue());
        assertEquals(0, after.at("/clock/elapsed_ms").intValue());
        assertEquals(
                defaults.at("/clock/running"),
                api.put(path, "{\"clock\": null}").data().at("/scoreboard/clock/running"));
    }

    private JsonNode put(String body) {
        return api.put(watermark, body).data().get("generate_watermark");
    }
}
