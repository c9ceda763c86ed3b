package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.scoreboard.OverlayControl;
import touchline.media.StreamId;

/** Calls to the live session after a change of the scoreboard. */
final class WatermarkControlTest {
    private static final String STREAMS = "/live/v1/live-streams/";
    private static final String HTML = "{\"type\": \"html\", \"url\": \"https://a.example/\"}";

    private ApiFixture api;
    private StreamId stream;
    private String watermark;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = new StreamId(api.create("{}").get("id").textValue());
        watermark = STREAMS + stream + "/generated-watermark";
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void putWatermark_stored_notifiesTheSession() {
        api.live.start(stream);

        assertEquals(0, api.put(watermark, HTML).code());
        assertEquals(List.of(stream), api.overlays.changes);
    }

    @Test
    void putWatermark_refused_notifiesNoSession() {
        api.put(watermark, HTML);
        api.live.start(stream);
        api.overlays.changes.clear();
        String look =
                "{\"url\": \"https://b.example/\", \"overlay_settings\": {\"width\": \"30%\"}}";

        assertEquals(40901, api.put(watermark, look).code());
        assertEquals(List.of(), api.overlays.changes);
        assertEquals(
                "https://a.example/",
                api.get(watermark).data().at("/generate_watermark/url").textValue());
    }

    @Test
    void putWatermark_activeWithoutRoom_is50301AndStoresNothing() {
        api.live.start(stream);
        api.overlays.room = false;

        TestReply reply = api.put(watermark, HTML);

        assertEquals(50301, reply.code());
        assertEquals(503, reply.status());
        assertTrue(reply.text().contains("overlay.max-compositors"), reply.text());
        assertFalse(api.get(STREAMS + stream).data().has("generate_watermark"));
        assertEquals(List.of(), api.overlays.changes);
    }

    @Test
    void deleteWatermark_notifiesTheSession() {
        api.put(watermark, HTML);
        api.overlays.changes.clear();

        api.delete(watermark);

        assertEquals(List.of(stream), api.overlays.changes);
    }

    @Test
    void watermark_thatIsPushed_saysWhetherItIs() {
        api.put(watermark, "{\"type\": \"stream\", \"audio_mix_settings\": {\"mode\": \"mix\"}}");

        assertEquals("idle", api.get(watermark).data().path("push_status").textValue());
        api.overlays.push = OverlayControl.Push.DISCONNECTED;
        assertEquals("disconnected", api.get(watermark).data().path("push_status").textValue());
    }

    @Test
    void watermark_thatIsAPage_hasNoPush() {
        api.put(watermark, HTML);

        assertFalse(api.get(watermark).data().has("push_status"));
    }

    @Test
    void preview_composited_isAPng() {
        api.put(watermark, HTML);

        TestReply reply = api.get(watermark + "/preview.png");

        assertEquals(200, reply.status());
        assertEquals("image/png", reply.header("Content-Type").orElseThrow());
    }

    @Test
    void preview_withoutScoreboard_is404() {
        assertEquals(40401, api.get(watermark + "/preview.png").code());
    }

    @Test
    void preview_nothingComposited_is409() {
        api.put(watermark, HTML);
        api.overlays.frame = Optional.empty();

        assertEquals(40901, api.get(watermark + "/preview.png").code());
    }
}
