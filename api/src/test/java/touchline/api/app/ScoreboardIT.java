package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A scoreboard over a live stream, from the push to the player, with pages painted by the test. */
@Timeout(480)
final class ScoreboardIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** Half of the frame's width, in its lower right corner. */
    private static final String BOX =
            "\"overlay_settings\": {\"width\": \"50%\", \"height\": \"20%\","
                    + " \"horizontal_align\": \"right\", \"vertical_align\": \"bottom\"}";

    @TempDir private Path folder;
    private final PaintedPages pages = new PaintedPages();

    @Test
    void scoreboard_fromTheStart_isInTheFrameAndChangesLive() throws Exception {
        try (TestServer server = TestServer.start(folder, Map.of(), () -> pages)) {
            Live live = Live.create(server, "\"generate_watermark\": " + html("white", BOX));
            try (Encoder encoder = Encoder.live(live.push())) {
                LowLatencyViewer viewer = new LowLatencyViewer(live.playlist(encoder));
                Thread watching = Thread.ofVirtual().start(viewer);
                live.awaitBox(encoder, 255);
                assertEquals(320, pages.opened.getFirst().widthPixels());
                assertEquals(72, pages.opened.getFirst().heightPixels());

                live.watermark("PUT", html("black", ""), 200);
                live.awaitBox(encoder, 0);
                live.watermark("PUT", "{\"overlay_settings\": {\"width\": \"40%\"}}", 409);
                live.watermark("PUT", "{\"overlay_settings\": {\"width\": \"50.0%\"}}", 200);
                live.watermark("DELETE", "", 200);
                server.call("GET", live.path() + "/preview.png", "", 404);
                live.watermark("PUT", html("white", ""), 200);
                live.awaitBox(encoder, 255);

                assertTrue(encoder.isRunning(), encoder::output);
                server.call("PUT", live.stream() + "/complete", "", 200);
                assertTrue(watching.join(SOON), "the viewer saw no end");
                assertEquals(List.of(), viewer.problems);
                assertEquals(List.of(), viewer.findings());
                assertEquals(0, viewer.discontinuities());
            }
        }
    }

    @Test
    void scoreboard_putOnALiveStream_isOneDiscontinuity() throws Exception {
        try (TestServer server = TestServer.start(folder, Map.of(), () -> pages)) {
            Live live = Live.create(server, "");
            try (Encoder encoder = Encoder.live(live.push())) {
                LowLatencyViewer viewer = new LowLatencyViewer(live.playlist(encoder));
                Thread watching = Thread.ofVirtual().start(viewer);
                live.watermark("PUT", html("white", BOX), 409);
                live.watermark("PUT", html("white", ""), 200);
                TestServer.await("the discontinuity", SOON, () -> viewer.discontinuities() == 1);
                live.awaitBox(encoder, 255);
                live.watermark("DELETE", "", 200);

                assertTrue(encoder.isRunning(), encoder::output);
                server.call("PUT", live.stream() + "/complete", "", 200);
                assertTrue(watching.join(SOON), "the viewer saw no end");
                assertEquals(List.of(), viewer.problems);
                assertEquals(List.of(), viewer.findings());
                assertEquals(1, viewer.discontinuities());
            }
        }
    }

    @Test
    void scoreboards_moreThanAllowed_areRefusedAndTheStreamGoesOn() throws Exception {
        Map<String, String> one = Map.of("TOUCHLINE_OVERLAY_MAX_COMPOSITORS", "1");
        try (TestServer server = TestServer.start(folder, one, () -> pages)) {
            Live first = Live.create(server, "\"generate_watermark\": " + html("white", ""));
            Live second = Live.create(server, "\"generate_watermark\": " + html("white", ""));
            Live third = Live.create(server, "");
            try (Encoder encoder = Encoder.live(first.push())) {
                first.awaitBox(encoder, 255);
                // Not before: the first session gets the only compositor.
                try (Encoder other = Encoder.live(second.push());
                        Encoder plain = Encoder.live(third.push())) {
                    URI passed = second.playlist(other);
                    assertFalse(server.get(passed).body().contains("EXT-X-INDEPENDENT-SEGMENTS"));
                    URI untouched = third.playlist(plain);
                    JsonNode refused = third.watermark("PUT", html("white", ""), 503);
                    assertEquals(50301, refused.path("code").asInt());
                    assertTrue(
                            server.get(first.playlist(encoder))
                                    .body()
                                    .contains("EXT-X-INDEPENDENT-SEGMENTS"));
                    assertEquals(200, server.get(untouched).statusCode());
                    server.call("PUT", first.stream() + "/complete", "", 200);
                    TestServer.await(
                            "the slot again",
                            SOON,
                            () -> third.status("PUT", html("white", "")) == 200);
                }
            }
        }
    }

    @Test
    void scoreboard_withoutABrowser_leavesTheStreamAlone() throws Exception {
        Map<String, String> none = Map.of("TOUCHLINE_CHROMIUM", "/nowhere/chromium");
        try (TestServer server = TestServer.start(folder, none)) {
            Live live = Live.create(server, "\"generate_watermark\": " + html("white", ""));
            try (Encoder encoder = Encoder.live(live.push())) {
                assertEquals(200, server.get(live.playlist(encoder)).statusCode());
                server.call("GET", live.path() + "/preview.png", "", 409);
            }
        }
    }

    private static String html(String colour, String more) {
        return "{\"type\": \"html\", \"url\": \"https://a.example/%s\"%s}"
                .formatted(colour, more.isEmpty() ? "" : ", " + more);
    }

    /** A low-latency stream of a server. */
    private record Live(TestServer server, String id, String push, URI multivariant) {
        static Live create(TestServer server, String more) throws Exception {
            JsonNode stream =
                    server.createStream(
                            "{\"latency_mode\": \"low\""
                                    + (more.isEmpty() ? "" : ", " + more)
                                    + "}");
            return new Live(
                    server,
                    stream.path("id").asText(),
                    server.push(stream.path("stream_key").asText()),
                    server.playback(
                            stream.path("playback_ids").path(0).path("id").asText() + ".m3u8"));
        }

        String stream() {
            return "/live/v1/live-streams/" + id;
        }

        String path() {
            return stream() + "/generated-watermark";
        }

        JsonNode watermark(String method, String body, int expectedStatus) throws Exception {
            return server.call(method, path(), body, expectedStatus);
        }

        int status(String method, String body) {
            HttpRequest request =
                    HttpRequest.newBuilder(server.api(path()))
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .header("Authorization", "Bearer " + server.token())
                            .header("Content-Type", "application/json")
                            .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        URI playlist(Encoder encoder) throws Exception {
            TestServer.await(
                    "a playlist; " + encoder.output(),
                    SOON,
                    () -> server.get(multivariant).statusCode() == 200);
            return server.mediaPlaylist(multivariant);
        }

        /** Waits until the corner of the program has a luma. */
        void awaitBox(Encoder encoder, int grey) throws Exception {
            TestServer.awaitCostly(
                    "grey " + grey + " in the corner; " + encoder.output(),
                    SOON,
                    () -> Math.abs(corner() - grey) <= 4);
        }

        /** The green of a pixel in the lower right corner; -1000 where there is no preview. */
        private int corner() {
            return server.preview(id)
                    .map(frame -> frame.getRGB(frame.getWidth() - 20, frame.getHeight() - 20))
                    .map(pixel -> pixel >> 8 & 0xFF)
                    .orElse(-1000);
        }
    }
}
