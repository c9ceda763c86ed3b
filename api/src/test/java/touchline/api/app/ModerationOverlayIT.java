package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ModeratedStream.Found;

/** Moderation of a stream with a scoreboard: what viewers see is what the models see. */
@Timeout(480)
final class ModerationOverlayIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** Half of the frame's width and a fifth of its height, in the lower right corner. */
    private static final String CORNER =
            ", \"overlay_settings\": {\"width\": \"50%\", \"height\": \"20%\","
                    + " \"horizontal_align\": \"right\", \"vertical_align\": \"bottom\"}";

    private static final double BOX_TOLERANCE = 0.02;
    private static final int REJECT = 3;

    @TempDir private Path folder;

    private static String page(String colour, String more) {
        return "{\"type\": \"html\", \"url\": \"https://a.example/%s\"%s}".formatted(colour, more);
    }

    private static boolean newest(List<JsonNode> frames, int from, int count, int status) {
        return frames.size() >= from + count
                && frames.subList(frames.size() - count, frames.size()).stream()
                        .allMatch(frame -> frame.get("detect_status").intValue() == status);
    }

    @Test
    void scoreboardPutOnALiveStream_isModeratedFromThenOnUntilItIsDeleted() throws Exception {
        try (TestServer server = ModeratedServer.start(folder, new PaintedPages())) {
            ModeratedStream stream =
                    ModeratedStream.create(
                            server,
                            """
                            "audit_settings": {"frame_interval": 1, "models": {"nude": 0.5}}
                            """);
            try (Encoder encoder = new ColouredPush().start(stream.push())) {
                stream.awaitFrames("frames of the camera", SOON, f -> f.size() >= 3);
                assertEquals(List.of(), stream.records());

                int before = stream.frames().size();
                stream.scoreboard("PUT", page("magenta", ""));
                stream.awaitFrames("alerts", SOON, f -> newest(f, before, 3, REJECT));
                Found found = stream.records().getLast();
                assertBox(List.of(0.0, 0.0, 1.0, 1.0), found.alert("nude"));

                int until = stream.frames().size();
                stream.scoreboard("DELETE", "");
                List<JsonNode> frames =
                        stream.awaitFrames("no more alerts", SOON, f -> newest(f, until, 3, 1));
                assertEverySecond(frames);
                assertTrue(encoder.isRunning(), encoder::output);
            }
        }
    }

    /** Nothing is missed or taken twice where decoding gives way to the compositor's frames. */
    private static void assertEverySecond(List<JsonNode> frames) {
        for (int i = 1; i < frames.size(); i++) {
            long ms =
                    frames.get(i).get("captured_at").longValue()
                            - frames.get(i - 1).get("captured_at").longValue();
            assertTrue(ms > 0 && ms < 4_000, ms + " ms between frames of " + frames);
        }
    }

    @Test
    void gate_behindAScoreboard_holdsBackWhatItShows() throws Exception {
        try (TestServer server = ModeratedServer.start(folder, new PaintedPages())) {
            ModeratedStream stream =
                    ModeratedStream.create(
                            server,
                            """
                            "latency_mode": "low", "generate_watermark": %s, "audit_settings":
                              {"frame_interval": 1, "models": {"nude": 0.5}, "gate": true}
                            """
                                    .formatted(page("white", CORNER)));
            try (Encoder encoder = new ColouredPush().start(stream.push())) {
                URI multivariant = server.playback(stream.playbackId + ".m3u8");
                TestServer.await("media", SOON, () -> edgeMs(server, multivariant) > 0);

                int before = stream.frames().size();
                stream.scoreboard("PUT", page("magenta", ""));
                stream.awaitFrames("rejects", SOON, f -> newest(f, before, 2, REJECT));
                double shutMs = edgeMs(server, multivariant);
                List<JsonNode> rejected =
                        stream.awaitFrames("rejects", SOON, f -> newest(f, before, 4, REJECT));
                assertEquals(shutMs, edgeMs(server, multivariant));
                checkFrame(stream, stream.records().getLast());

                int until = rejected.size();
                stream.scoreboard("PUT", page("white", ""));
                stream.awaitFrames("passes", SOON, f -> newest(f, until, 3, 1));
                TestServer.await(
                        "media behind the rejected range",
                        SOON,
                        () -> edgeMs(server, multivariant) > shutMs + 3_000);
                assertTrue(encoder.isRunning(), encoder::output);
            }
        }
    }

    /** Where published media ends; 0 where there is none. */
    private static double edgeMs(TestServer server, URI multivariant) {
        if (server.get(multivariant).statusCode() != 200) {
            return 0;
        }
        HttpResponse<String> media = server.get(server.mediaPlaylist(multivariant));
        return media.statusCode() == 200 ? PublishedEdge.endMs(media.body()) : 0;
    }

    /** The evidence shows the scoreboard that the record speaks of. */
    private static void checkFrame(ModeratedStream stream, Found found) throws Exception {
        assertBox(List.of(0.5, 0.8, 0.5, 0.2), found.alert("nude"));
        BufferedImage image = stream.frame(found.record().get("url").textValue());
        assertEquals(ColouredPush.WIDTH, image.getWidth());
        Color inside = new Color(image.getRGB(image.getWidth() - 40, image.getHeight() - 20));
        assertTrue(inside.getRed() > 180 && inside.getGreen() < 80, inside.toString());
        Color outside = new Color(image.getRGB(40, image.getHeight() - 20));
        assertTrue(outside.getRed() < 80, outside.toString());
    }

    private static void assertBox(List<Double> expected, JsonNode alert) {
        for (int i = 0; i < 4; i++) {
            assertEquals(
                    expected.get(i),
                    alert.get("bounding_box").get(i).doubleValue(),
                    BOX_TOLERANCE,
                    alert.toString());
        }
    }
}
