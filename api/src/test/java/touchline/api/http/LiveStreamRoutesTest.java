package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Scope;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;

final class LiveStreamRoutesTest {
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
    void create_withoutBody_hasAllDefaults() {
        JsonNode stream = api.post(STREAMS, null).data();

        assertEquals("idle", stream.get("status").textValue());
        assertEquals("standard", stream.get("latency_mode").textValue());
        assertEquals("", stream.get("user_metadata").textValue());
        assertEquals("", stream.get("title").textValue());
        assertFalse(stream.get("record").booleanValue());
        assertEquals(60, stream.get("reconnect_window").intValue());
        assertEquals("capped-1080p", stream.get("mp4_support").textValue());
        assertEquals("rtmp://push.test:1935/live", stream.get("stream_url").textValue());
        assertEquals(ApiFixture.START.getEpochSecond(), stream.get("created_at").longValue());
        assertTrue(stream.get("active_session_id").isNull());
        assertTrue(stream.get("recent_asset_ids").isEmpty());
        assertEquals(1, stream.get("playback_ids").size());
        assertEquals("public", stream.at("/playback_ids/0/policy").textValue());
        assertFalse(stream.has("audit_settings"));
        assertFalse(stream.has("generate_watermark"));
        assertTrue(stream.get("stream_key").textValue().length() >= 22);
    }

    @Test
    void create_withEverything_echoesItAndGetShowsTheSame() {
        JsonNode stream =
                api.create(
                        """
                        {"title": "Derby", "user_metadata": "Größe ✓ 🏟", "latency_mode": "low",
                         "policy": ["signed", "public", "public"], "record": true,
                         "reconnect_window": 0, "mp4_support": "none", "unknown": {"x": 1},
                         "audit_settings": {"frame_interval": 3600,
                           "models": {"weapon": 0, "nude": 1}, "on_reject": "disable"},
                         "generate_watermark": {"type": "stream",
                           "audio_mix_settings": {"mode": "mix", "volume_main": 0.5,
                             "volume_secondary": 1}}}
                        """);

        assertEquals("Größe ✓ 🏟", stream.get("user_metadata").textValue());
        assertEquals("low", stream.get("latency_mode").textValue());
        assertTrue(stream.get("record").booleanValue());
        assertEquals(0, stream.get("reconnect_window").intValue());
        assertEquals("none", stream.get("mp4_support").textValue());
        List<String> policies = new ArrayList<>();
        stream.get("playback_ids").forEach(id -> policies.add(id.get("policy").textValue()));
        assertEquals(List.of("signed", "public", "public"), policies);
        assertEquals(3600, stream.at("/audit_settings/frame_interval").intValue());
        assertEquals(1.0, stream.at("/audit_settings/models/nude").doubleValue());
        assertEquals("disable", stream.at("/audit_settings/on_reject").textValue());
        JsonNode mark = stream.get("generate_watermark");
        assertEquals("rtmp://push.test:1935/live", mark.get("stream_url").textValue());
        assertNotEquals(stream.get("stream_key"), mark.get("stream_key"));
        assertFalse(stream.has("unknown"));
        String id = stream.get("id").textValue();
        assertEquals(stream, api.get(STREAMS + "/" + id).data());
    }

    @Test
    void create_withPolicyText_makesOneIdOfIt() {
        JsonNode ids = api.create("{\"policy\": \"signed\"}").get("playback_ids");

        assertEquals(1, ids.size());
        assertEquals("signed", ids.get(0).get("policy").textValue());
    }

    @Test
    void create_withManyBadFields_namesThemAllAtOnce() {
        TestReply reply =
                api.post(
                        STREAMS,
                        """
                        {"title": 1, "user_metadata": null, "latency_mode": "fast",
                         "policy": ["public", "secret", 3], "record": "yes",
                         "reconnect_window": 1801, "mp4_support": true,
                         "audit_settings": {"frame_interval": 1.5,
                           "models": {"nude": 1.1, "weapon": "0.5", "blood": 0.5},
                           "on_reject": "kill", "gate": 0},
                         "generate_watermark": {"type": "html", "url": "file:///etc/passwd",
                           "page_load_timeout": 0,
                           "overlay_settings": {"width": "0%", "opacity": "101%",
                             "vertical_align": "left", "horizontal_margin": 5}}}
                        """);

        assertEquals(40002, reply.code());
        assertEquals(
                List.of(
                        "title",
                        "user_metadata",
                        "latency_mode",
                        "record",
                        "reconnect_window",
                        "mp4_support",
                        "policy[1]",
                        "policy[2]",
                        "audit_settings.frame_interval",
                        "audit_settings.models.nude",
                        "audit_settings.models.weapon",
                        "audit_settings.models.blood",
                        "audit_settings.on_reject",
                        "audit_settings.gate",
                        "generate_watermark.url",
                        "generate_watermark.overlay_settings.width",
                        "generate_watermark.overlay_settings.vertical_align",
                        "generate_watermark.overlay_settings.opacity",
                        "generate_watermark.overlay_settings.horizontal_margin",
                        "generate_watermark.page_load_timeout"),
                reply.badFields());
        assertEquals(0, api.get(STREAMS).json().get("total").intValue());
    }

    @Test
    void create_withBadValue_isRefusedByField() {
        Map<String, String> fieldOfBody =
                Map.ofEntries(
                        Map.entry("{\"policy\": []}", "policy"),
                        Map.entry("{\"policy\": null}", "policy"),
                        Map.entry("{\"policy\": \"Public\"}", "policy"),
                        Map.entry(
                                "{\"policy\": [" + "\"public\",".repeat(20) + "\"public\"]}",
                                "policy"),
                        Map.entry("{\"reconnect_window\": -1}", "reconnect_window"),
                        Map.entry("{\"reconnect_window\": \"60\"}", "reconnect_window"),
                        Map.entry("{\"reconnect_window\": 1e99}", "reconnect_window"),
                        Map.entry("{\"title\": \"a\\u0000b\"}", "title"),
                        Map.entry("{\"title\": \"\\ud800\"}", "title"),
                        Map.entry(
                                "{\"user_metadata\": \"" + "é".repeat(2049) + "\"}",
                                "user_metadata"),
                        Map.entry("{\"audit_settings\": []}", "audit_settings"),
                        Map.entry(
                                "{\"audit_settings\": {\"frame_interval\": 1, \"models\": {}}}",
                                "audit_settings.models"),
                        Map.entry(
                                "{\"audit_settings\": {\"frame_interval\": 1,"
                                        + " \"models\": {\"nude\": NaN}}}",
                                "audit_settings.models.nude"),
                        Map.entry(
                                "{\"audit_settings\": {\"frame_interval\": 0,"
                                        + " \"models\": {\"nude\": 0.5}}}",
                                "audit_settings.frame_interval"),
                        Map.entry(
                                "{\"generate_watermark\": {\"type\": \"flash\"}}",
                                "generate_watermark.type"));
        fieldOfBody.forEach(
                (body, field) -> {
                    TestReply reply = api.post(STREAMS, body);
                    assertEquals(40002, reply.code(), body);
                    assertEquals(List.of(field), reply.badFields(), body);
                });
    }

    @Test
    void create_withMissingFields_is40003() {
        Map<String, List<String>> fieldsOfBody =
                Map.of(
                        "{\"audit_settings\": {}}",
                        List.of("audit_settings.frame_interval", "audit_settings.models"),
                        "{\"generate_watermark\": {}}",
                        List.of("generate_watermark.type"),
                        "{\"generate_watermark\": {\"type\": \"html\"}}",
                        List.of("generate_watermark.url"),
                        "{\"generate_watermark\": {\"type\": \"stream\"}}",
                        List.of("generate_watermark.audio_mix_settings"));
        fieldsOfBody.forEach(
                (body, fields) -> {
                    TestReply reply = api.post(STREAMS, body);
                    assertEquals(40003, reply.code(), body);
                    assertEquals(fields, reply.badFields(), body);
                });
    }

    @Test
    void create_with4096BytesOfMetadata_isAccepted() {
        String metadata = "é".repeat(2048);

        JsonNode stream = api.create("{\"user_metadata\": \"" + metadata + "\"}");

        assertEquals(metadata, stream.get("user_metadata").textValue());
    }

    @Test
    void list_overSeveralPages_isNewestFirstAndComplete() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(api.create("{}").get("id").textValue());
        }
        List<String> listed = new ArrayList<>();
        for (int page = 1; page <= 3; page++) {
            JsonNode reply = api.get(STREAMS + "?page=" + page + "&limit=2").json();
            assertEquals(5, reply.get("total").intValue());
            assertEquals(page, reply.get("page").intValue());
            assertEquals(2, reply.get("limit").intValue());
            assertEquals(page < 3, reply.get("has_more").booleanValue());
            reply.get("data").forEach(stream -> listed.add(stream.get("id").textValue()));
        }

        assertEquals(ids, listed);
        assertEquals(25, api.get(STREAMS).json().get("limit").intValue());
        assertTrue(api.get(STREAMS + "?page=1000000&limit=100").data().isEmpty());
    }

    @Test
    void list_withBadPaging_namesTheParameters() {
        for (String query :
                List.of("page=0", "page=x", "limit=0", "limit=101", "limit=1&limit=2")) {
            TestReply reply = api.get(STREAMS + "?" + query);
            assertEquals(40002, reply.code(), query);
            assertEquals(List.of(query.replaceFirst("=.*", "")), reply.badFields());
        }
        assertEquals(
                List.of("status", "page", "limit"),
                api.get(STREAMS + "?status=on&page=-1&limit=1000").badFields());
    }

    @Test
    void list_withEmptyParameters_isTheWholeList() {
        api.create("{}");

        TestReply reply = api.get(STREAMS + "?page=&limit=&status=&limit=7");

        assertEquals(1, reply.json().get("page").intValue());
        assertEquals(7, reply.json().get("limit").intValue());
        assertEquals(1, reply.data().size());
    }

    @Test
    void list_byStatus_showsThoseOnly() {
        String idle = api.create("{}").get("id").textValue();
        String active = api.create("{}").get("id").textValue();
        String disabled = api.create("{}").get("id").textValue();
        api.live.start(new StreamId(active));
        api.put(STREAMS + "/" + disabled + "/disable", null);

        assertEquals(List.of(idle), ids(api.get(STREAMS + "?status=idle")));
        assertEquals(List.of(active), ids(api.get(STREAMS + "?status=active")));
        assertEquals(List.of(disabled), ids(api.get(STREAMS + "?status=disable")));
    }

    @Test
    void list_bySearchAndOrder_showsActiveStreamsFirst() {
        String first = api.create("{\"title\": \"Cup final\"}").get("id").textValue();
        String second = api.create("{\"user_metadata\": \"the cup\"}").get("id").textValue();
        api.create("{}");
        api.live.start(new StreamId(first));

        assertEquals(List.of(second, first), ids(api.get(STREAMS + "?search=CUP")));
        assertEquals(
                List.of(first, second), ids(api.get(STREAMS + "?search=cup&order=active_first")));
        assertEquals(
                List.of("search", "order"),
                api.get(STREAMS + "?order=title&search=" + "x".repeat(201)).badFields());
    }

    @Test
    void find_whileActive_showsStatusAndSession() {
        String id = api.create("{}").get("id").textValue();
        LiveStream session = api.live.start(new StreamId(id));

        JsonNode stream = api.get(STREAMS + "/" + id).data();

        assertEquals("active", stream.get("status").textValue());
        assertEquals(session.session().value(), stream.get("active_session_id").textValue());
        assertTrue(stream.get("connected").booleanValue());
        assertFalse(stream.has("disconnected_at"));
    }

    @Test
    void find_whileTheEncoderIsAway_saysSinceWhen() {
        String id = api.create("{}").get("id").textValue();
        assertFalse(api.get(STREAMS + "/" + id).data().has("connected"));
        LiveStream session = api.live.start(new StreamId(id));

        api.live.disconnect(new StreamId(id));

        long at = session.disconnectedAt().orElseThrow().getEpochSecond();
        for (JsonNode stream :
                List.of(
                        api.get(STREAMS + "/" + id).data(),
                        api.get(STREAMS + "?status=active").data().get(0))) {
            assertEquals("active", stream.get("status").textValue());
            assertFalse(stream.get("connected").booleanValue());
            assertEquals(at, stream.get("disconnected_at").longValue());
        }
    }

    @Test
    void pushKeys_withoutLiveWrite_areNotShown() {
        String id =
                api.create(
                                """
                                {"generate_watermark": {"type": "stream",
                                  "audio_mix_settings": {"mode": "main"}}}
                                """)
                        .get("id")
                        .textValue();
        String path = STREAMS + "/" + id;
        Map<String, String> reader = Map.of("Authorization", api.bearer(Scope.LIVE_READ));

        for (String target : List.of(path, STREAMS, path + "/generated-watermark")) {
            assertFalse(api.call("GET", target, null, reader).text().contains("stream_key"));
            assertTrue(api.get(target).text().contains("stream_key"));
        }
    }

    @Test
    void patch_ofSomeFields_keepsTheOthers() {
        JsonNode before = api.create("{\"title\": \"a\", \"user_metadata\": \"m\"}");
        String path = STREAMS + "/" + before.get("id").textValue();

        JsonNode after =
                api.patch(
                                path,
                                """
                                {"title": "b", "record": true, "latency_mode": "low",
                                 "reconnect_window": 5, "mp4_support": "none"}
                                """)
                        .data();

        assertEquals("b", after.get("title").textValue());
        assertEquals("m", after.get("user_metadata").textValue());
        assertEquals("low", after.get("latency_mode").textValue());
        assertTrue(after.get("record").booleanValue());
        assertEquals(5, after.get("reconnect_window").intValue());
        assertEquals("none", after.get("mp4_support").textValue());
        assertEquals(before.get("playback_ids"), after.get("playback_ids"));
        assertEquals(before.get("stream_key"), after.get("stream_key"));
        assertEquals(after, api.patch(path, "{}").data());
        assertEquals(
                List.of("title", "record"),
                api.patch(path, "{\"title\": 2, \"record\": 1}").badFields());
        assertEquals(after, api.get(path).data());
    }

    private static List<String> ids(TestReply reply) {
        List<String> ids = new ArrayList<>();
        reply.data().forEach(stream -> ids.add(stream.get("id").textValue()));
        return ids;
    }
}
