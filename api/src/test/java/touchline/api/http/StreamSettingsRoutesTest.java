package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.media.StreamId;
import touchline.moderation.AlertType;

final class StreamSettingsRoutesTest {
    private static final String STREAMS = "/live/v1/live-streams/";
    private static final String AUDIT = "{\"frame_interval\": 2, \"models\": {\"nude\": 0.5}}";

    private ApiFixture api;
    private String id;
    private String audit;
    private String watermark;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        id = api.create("{}").get("id").textValue();
        audit = STREAMS + id + "/audit-settings";
        watermark = STREAMS + id + "/generated-watermark";
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void putAudit_bareOrWrapped_storesTheSame() {
        for (String body : List.of(AUDIT, "{\"audit_settings\": " + AUDIT + "}")) {
            JsonNode data = api.put(audit, body).data();

            assertEquals(id, data.get("live_stream_id").textValue());
            assertEquals(2, data.at("/audit_settings/frame_interval").intValue());
            assertEquals(0.5, data.at("/audit_settings/models/nude").doubleValue());
            assertEquals(2, data.get("audit_settings").size());
            assertEquals(
                    data.get("audit_settings"), api.get(STREAMS + id).data().get("audit_settings"));
        }
    }

    @Test
    void putAudit_withoutModelForIt_warnsByName() {
        TestReply unserved = api.put(audit, AUDIT);
        api.moderation.served.add(AlertType.NUDE);
        TestReply served = api.put(audit, AUDIT);

        String warning = unserved.json().at("/warnings/0").textValue();
        assertTrue(warning.contains("nude") && warning.contains("docs/models.md"), warning);
        assertFalse(served.json().has("warnings"));
    }

    @Test
    void putAudit_withGate_needsAModelForEveryType() {
        String gated = "{\"frame_interval\": 1, \"models\": {\"weapon\": 0.5}, \"gate\": true}";

        assertEquals(40901, api.put(audit, gated).code());
        assertFalse(api.get(STREAMS + id).data().has("audit_settings"));
        api.moderation.served.add(AlertType.WEAPON);
        assertTrue(api.put(audit, gated).data().at("/audit_settings/gate").booleanValue());
        api.moderation.served.clear();
        assertEquals(
                40901,
                api.post("/live/v1/live-streams", "{\"audit_settings\": " + gated + "}").code());
    }

    @Test
    void putAudit_badInput_isNamedAndNothingIsStored() {
        for (String models :
                List.of(
                        "{\"nude\": -0.1}",
                        "{\"nude\": 1.1}",
                        "{\"nude\": \"0.5\"}",
                        "{\"nude\": NaN}",
                        "{\"nude\": null}")) {
            TestReply reply = api.put(audit, "{\"frame_interval\": 1, \"models\": " + models + "}");
            assertEquals(40002, reply.code(), models);
            assertEquals(List.of("models.nude"), reply.badFields(), models);
        }
        for (String interval : List.of("0", "1.5", "-1", "3601", "\"2\"", "null")) {
            TestReply reply =
                    api.put(
                            audit,
                            "{\"frame_interval\": " + interval + ", \"models\": {\"nude\": 1}}");
            assertEquals(40002, reply.code(), interval);
            assertEquals(List.of("frame_interval"), reply.badFields(), interval);
        }
        assertEquals(
                List.of("models.gore", "on_reject", "gate"),
                api.put(
                                audit,
                                """
                                {"frame_interval": 1, "models": {"gore": 0.5},
                                 "on_reject": "ban", "gate": 1}
                                """)
                        .badFields());
        assertFalse(api.get(STREAMS + id).data().has("audit_settings"));
        assertEquals(List.of(), api.audit.calls);
    }

    @Test
    void putWatermark_withInternationalisedHost_isStoredInAscii() {
        JsonNode stored =
                api.put(watermark, "{\"type\": \"html\", \"url\": \"https://Köln.example/a\"}")
                        .data();

        assertEquals(
                "https://xn--kln-sna.example/a", stored.at("/generate_watermark/url").textValue());
    }

    @Test
    void audit_putAndDeleted_reachesTheRunningSession() {
        api.put(audit, AUDIT);
        api.delete(audit);

        assertEquals(List.of("changed " + id, "changed " + id), api.audit.calls);
    }

    @Test
    void putAudit_onRejectAndGate_areEchoed() {
        api.moderation.served.add(AlertType.NUDE);

        JsonNode settings =
                api.put(
                                audit,
                                """
                                {"frame_interval": 1, "models": {"nude": 0.5},
                                 "on_reject": "disable", "gate": true}
                                """)
                        .data()
                        .get("audit_settings");

        assertEquals("disable", settings.get("on_reject").textValue());
        assertTrue(settings.get("gate").booleanValue());
    }

    @Test
    void putAudit_withMissingFields_is40003() {
        TestReply reply = api.put(audit, "{}");

        assertEquals(40003, reply.code());
        assertEquals(List.of("frame_interval", "models"), reply.badFields());
        assertEquals(40003, api.put(audit, null).code());
    }

    @Test
    void deleteAudit_withAndWithoutSettings_is204() {
        api.put(audit, AUDIT);

        for (int i = 0; i < 2; i++) {
            TestReply reply = api.delete(audit);
            assertEquals(204, reply.status());
            assertEquals("", reply.text());
        }
        assertFalse(api.get(STREAMS + id).data().has("audit_settings"));
    }

    @Test
    void putWatermark_onIdleStream_mergesFieldByField() {
        assertEquals(40401, api.get(watermark).code());
        api.put(
                watermark,
                """
                {"type": "html", "url": "https://a.example/1",
                 "overlay_settings": {"width": "30%", "opacity": "50%"}}
                """);

        JsonNode merged =
                api.put(
                                watermark,
                                """
                                {"generate_watermark": {"url": "https://a.example/2",
                                  "overlay_settings": {"opacity": "80%",
                                    "vertical_align": "bottom"}}}
                                """)
                        .data()
                        .get("generate_watermark");

        assertEquals("https://a.example/2", merged.get("url").textValue());
        assertEquals(10, merged.get("page_load_timeout").intValue());
        assertEquals("30%", merged.at("/overlay_settings/width").textValue());
        assertEquals("80%", merged.at("/overlay_settings/opacity").textValue());
        assertEquals("bottom", merged.at("/overlay_settings/vertical_align").textValue());
        assertEquals(merged, api.get(watermark).data().get("generate_watermark"));
    }

    @Test
    void putWatermark_ofAnotherType_needsItsFieldsAndKeepsThePlace() {
        api.put(
                watermark,
                """
                {"type": "html", "url": "https://a.example/",
                 "overlay_settings": {"width": "30%"}}
                """);

        TestReply lacking = api.put(watermark, "{\"type\": \"stream\"}");
        JsonNode stream =
                api.put(
                                watermark,
                                """
                                {"type": "stream", "audio_mix_settings": {"mode": "secondary"}}
                                """)
                        .data()
                        .get("generate_watermark");

        assertEquals(List.of("audio_mix_settings"), lacking.badFields());
        assertEquals(40003, lacking.code());
        assertEquals("30%", stream.at("/overlay_settings/width").textValue());
        assertEquals(1.0, stream.at("/audio_mix_settings/volume_main").doubleValue());
        JsonNode again =
                api.put(watermark, "{\"audio_mix_settings\": {\"volume_main\": 0.25}}")
                        .data()
                        .get("generate_watermark");
        assertEquals(stream.get("stream_key"), again.get("stream_key"));
        assertEquals("secondary", again.at("/audio_mix_settings/mode").textValue());
        assertEquals(0.25, again.at("/audio_mix_settings/volume_main").doubleValue());
        assertNotEquals(api.get(STREAMS + id).data().get("stream_key"), again.get("stream_key"));
    }

    @Test
    void putWatermark_whileActive_changesContentButNotTheLook() {
        api.put(
                watermark,
                """
                {"type": "html", "url": "https://a.example/1",
                 "overlay_settings": {"width": "30%", "vertical_align": "middle"}}
                """);
        api.live.start(new StreamId(id));
        JsonNode before = api.get(watermark).data();

        for (String refused :
                List.of(
                        "{\"url\": \"https://a.example/2\", \"overlay_settings\": {\"width\":"
                                + " \"31%\"}}",
                        "{\"overlay_settings\": {\"horizontal_margin\": \"1%\"}}",
                        "{\"type\": \"stream\", \"audio_mix_settings\": {\"mode\": \"mix\"}}")) {
            assertEquals(40901, api.put(watermark, refused).code(), refused);
            assertEquals(before, api.get(watermark).data(), refused);
        }
        for (String accepted :
                List.of(
                        "{\"url\": \"https://a.example/3\", \"page_load_timeout\": 20}",
                        "{\"type\": \"html\", \"overlay_settings\": {\"width\": \"30.0%\","
                                + " \"opacity\": \"100%\", \"vertical_align\": \"center\"}}")) {
            assertEquals(0, api.put(watermark, accepted).code(), accepted);
        }
        assertEquals(
                "https://a.example/3",
                api.get(watermark).data().at("/generate_watermark/url").textValue());
    }

    @Test
    void putWatermark_onActiveStreamWithoutOne_takesDefaultsOnly() {
        api.live.start(new StreamId(id));
        String html = "{\"type\": \"html\", \"url\": \"https://a.example/\"";

        assertEquals(
                40901,
                api.put(watermark, html + ", \"overlay_settings\": {\"width\": \"30%\"}}").code());
        assertEquals(40401, api.get(watermark).code());
        assertEquals(0, api.put(watermark, html + "}").code());
    }

    @Test
    void putWatermark_whileDisabled_keepsTheLookToo() {
        api.put(STREAMS + id + "/disable", null);
        String html = "{\"type\": \"html\", \"url\": \"https://a.example/\"";

        assertEquals(
                40901,
                api.put(watermark, html + ", \"overlay_settings\": {\"width\": \"30%\"}}").code());
        assertEquals(0, api.put(watermark, html + "}").code());
    }

    @Test
    void putWatermark_withRefusedUrl_namesIt() {
        for (String url :
                List.of(
                        "file:///etc/passwd",
                        "javascript:alert(1)",
                        "//a.example/",
                        "http://",
                        "not a url",
                        "http://user:secret@a.example/",
                        "http://127.0.0.1/",
                        "https://a.example/" + "x".repeat(2048))) {
            TestReply reply = api.put(watermark, "{\"type\": \"html\", \"url\": \"" + url + "\"}");
            assertEquals(40002, reply.code(), url);
            assertEquals(List.of("url"), reply.badFields(), url);
        }
    }

    @Test
    void putWatermark_withBadMix_namesTheFields() {
        TestReply reply =
                api.put(
                        watermark,
                        """
                        {"type": "stream", "audio_mix_settings": {"mode": "both",
                          "volume_main": 1.01, "volume_secondary": "1"}}
                        """);

        assertEquals(
                List.of(
                        "audio_mix_settings.mode",
                        "audio_mix_settings.volume_main",
                        "audio_mix_settings.volume_secondary"),
                reply.badFields());
    }

    @Test
    void deleteWatermark_whileActive_removesIt() {
        api.put(watermark, "{\"type\": \"html\", \"url\": \"https://a.example/\"}");
        api.live.start(new StreamId(id));

        for (int i = 0; i < 2; i++) {
            JsonNode data = api.delete(watermark).data();
            assertTrue(data.get("generate_watermark").isNull());
            assertEquals(id, data.get("live_stream_id").textValue());
        }
        assertFalse(api.get(STREAMS + id).data().has("generate_watermark"));
    }
}
