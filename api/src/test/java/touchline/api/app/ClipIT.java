package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clips through the API, of what a real encoder pushes, down to the frames a player shows. */
class ClipIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final String CLIP = "/video-streams/v1/video/clip";
    private static final String H264 = "libx264 -preset ultrafast -bf 2 -g 60";

    @TempDir private Path folder;

    /** From the growing recording, the finished one, and a clip; then the sources go. */
    @Test
    void clips_showExactlyTheFramesAskedFor_alsoWhenTheirSourcesAreGone() throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, 24, H264);
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            String push = server.push(recorded(server));
            String source;
            JsonNode early;
            try (Encoder encoder = push(flv, push, "1")) {
                source = awaitDuration(server, 6, encoder);
                early = clip(server, source, "1.35", "4.017", 3);
                assertTrue(asset(server, source).path("is_live").asBoolean(), "it was live still");
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
            awaitReady(server, early);
            TestServer.await(
                    "the end", SOON, () -> !asset(server, source).path("is_live").asBoolean());
            JsonNode late = clip(server, source, "7.25", "21.017", 14);
            awaitReady(server, late);
            JsonNode ofClip = clip(server, id(late), "2.017", "9.25", 8);
            awaitReady(server, ofClip);

            assertShows(server, early, frames(1.35, 4.017));
            assertShows(server, late, frames(7.25, 21.017));
            // 7.25 is frame 218 at 7.267: the clip's own time begins with it.
            assertShows(server, ofClip, IntStream.range(218 + 61, 218 + 278).boxed().toList());
            rangeWithinAFrame(server, source);
            String begin = asset(server, id(late)).toString();
            assertTrue(begin.contains("\"source_asset_id\":\"" + source), begin);

            server.call("DELETE", ASSETS + "/" + source, "", 200);
            server.call("DELETE", ASSETS + "/" + id(late), "", 200);
            Path files = folder.resolve("data/assets");
            TestServer.await("files gone", SOON, () -> !Files.exists(files.resolve(source)));
            TestServer.await("files gone", SOON, () -> !Files.exists(files.resolve(id(late))));
            server.restart();
            assertShows(server, early, frames(1.35, 4.017));
            assertShows(server, ofClip, IntStream.range(218 + 61, 218 + 278).boxed().toList());
            refusals(server, early, source);
        }
    }

    /** Shorter than a frame, between two of them: the clip shows the one that is visible then. */
    private void rangeWithinAFrame(TestServer server, String source) throws Exception {
        JsonNode clip = server.call("POST", CLIP, body(source, "1.01", "1.02"), 200).path("data");
        awaitReady(server, clip);
        assertShows(server, clip, List.of(30));
    }

    private void refusals(TestServer server, JsonNode clip, String deleted) throws Exception {
        assertEquals(40401, refusal(server, body(deleted, "0", "1"), 404));
        assertEquals(40401, refusal(server, body("ast_none", "0", "1"), 404));
        assertEquals(40002, refusal(server, body(id(clip), "0", "3.7"), 400));
        assertEquals(40002, refusal(server, body(id(clip), "1", "1"), 400));
        assertEquals(40002, refusal(server, body(id(clip), "-1", "1"), 400));
        assertEquals(40002, refusal(server, body(id(clip), "\"0\"", "1"), 400));
        assertEquals(40002, refusal(server, body(id(clip), "0", "1e400"), 400));
        assertEquals(40001, refusal(server, body(id(clip), "0", "Nan"), 400));
    }

    @Test
    void serverKilled_whileItCuts_cutsAfterItsNextStart_evenWithoutTheSource() throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, 8, H264);
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            String push = server.push(recorded(server));
            String source;
            try (Encoder encoder = push(flv, push, "8")) {
                assertEquals(0, encoder.await(SOON), encoder::output);
                source = awaitDuration(server, 7.9, encoder);
            }
            TestServer.await(
                    "the end", SOON, () -> !asset(server, source).path("is_live").asBoolean());
            Process process = server.startElsewhere();
            JsonNode clip;
            try {
                clip = clip(server, source, "1.35", "6.017", 5);
                server.call("DELETE", ASSETS + "/" + source, "", 200);
            } finally {
                process.destroyForcibly().waitFor();
            }

            server.resume();

            awaitReady(server, clip);
            assertShows(server, clip, frames(1.35, 6.017));
            Path files = folder.resolve("data/assets").resolve(source);
            TestServer.await("files gone", SOON, () -> !Files.exists(files));
        }
    }

    /** As with HEVC, AV1 and natives without x264: the record says so. */
    @Test
    void clip_whoseEdgesCannotBeEncoded_startsWithTheKeyFrame_andSaysSo() throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, 8, H264);
        Map<String, String> other = Map.of("TOUCHLINE_VIDEO_ENCODER", "openh264");
        try (TestServer server = TestServer.start(folder.resolve("data"), other)) {
            String push = server.push(recorded(server));
            String source;
            try (Encoder encoder = push(flv, push, "8")) {
                assertEquals(0, encoder.await(SOON), encoder::output);
                source = awaitDuration(server, 7.9, encoder);
            }
            JsonNode clip = clip(server, source, "3", "5", 2);
            awaitReady(server, clip);

            JsonNode whole = asset(server, id(clip));
            assertEquals("cut_at_key_frame", whole.at("/errors/0/type").asText(), whole::toString);
            List<Integer> shown = NumberedVideo.numbers(mp4(server, clip));
            assertEquals(60, shown.getFirst());
        }
    }

    private static String recorded(TestServer server) throws Exception {
        return server.createStream("{\"record\": true, \"reconnect_window\": 0}")
                .path("stream_key")
                .asText();
    }

    private static Encoder push(Path flv, String address, String readRate) throws Exception {
        return Encoder.run(
                "ffmpeg",
                "-v",
                "info",
                "-readrate",
                readRate,
                "-i",
                flv.toString(),
                "-c",
                "copy",
                "-f",
                "flv",
                address);
    }

    /** Frame n is shown at n / 30 s, rounded to a millisecond. */
    private static List<Integer> frames(double from, double to) {
        return IntStream.range(0, 10_000)
                .filter(n -> Math.round(n / 0.03) >= from * 1_000)
                .filter(n -> Math.round(n / 0.03) < to * 1_000)
                .boxed()
                .toList();
    }

    private static void assertShows(TestServer server, JsonNode clip, List<Integer> expected)
            throws Exception {
        assertEquals(expected, NumberedVideo.numbers(mp4(server, clip)), "MP4");
        assertEquals(
                expected,
                NumberedVideo.numbers(server.playback(playbackId(clip) + ".m3u8").toString()),
                "HLS");
        assertFalse(asset(server, id(clip)).path("is_live").asBoolean());
    }

    private static String mp4(TestServer server, JsonNode clip) {
        return server.playback(playbackId(clip) + "/capped-1080p.mp4").toString();
    }

    private static String playbackId(JsonNode clip) {
        return clip.at("/playback_ids/0/id").asText();
    }

    private static String id(JsonNode clip) {
        return clip.path("asset_id").asText();
    }

    private static String body(String source, String start, String end) {
        return "{\"asset_id\": \"%s\", \"start_time\": %s, \"end_time\": %s}"
                .formatted(source, start, end);
    }

    private static int refusal(TestServer server, String body, int status) throws Exception {
        return server.call("POST", CLIP, body, status).path("code").asInt();
    }

    private static JsonNode clip(
            TestServer server, String source, String start, String end, int seconds)
            throws Exception {
        JsonNode clip = server.call("POST", CLIP, body(source, start, end), 200).path("data");
        assertEquals("preparing", clip.path("status").asText(), clip::toString);
        assertEquals(seconds, clip.path("duration").asInt(), clip::toString);
        return clip;
    }

    private static void awaitReady(TestServer server, JsonNode clip) throws Exception {
        TestServer.await(
                "the clip",
                SOON,
                () -> {
                    JsonNode now = asset(server, id(clip));
                    String status = now.path("status").asText();
                    assertFalse(status.equals("errored"), now::toString);
                    return status.equals("ready");
                });
    }

    private static String awaitDuration(TestServer server, double seconds, Encoder encoder)
            throws Exception {
        TestServer.await(
                "so much is recorded; the encoder says " + encoder.output(),
                SOON,
                () -> assets(server).path(0).path("duration").asDouble() >= seconds);
        return assets(server).path(0).path("asset_id").asText();
    }

    private static JsonNode assets(TestServer server) {
        return data(server, ASSETS);
    }

    private static JsonNode asset(TestServer server, String id) {
        return data(server, ASSETS + "/" + id);
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }
}
