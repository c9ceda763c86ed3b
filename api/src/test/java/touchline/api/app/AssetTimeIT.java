package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every time of an asset names the same frame in HLS, the MP4, thumbnails and clips. */
class AssetTimeIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final String STREAMS = "/live/v1/live-streams/";

    @TempDir private Path folder;

    /** B-frames, audio that is longer than video, and two reconnects. */
    @Test
    void asset_ofAnEncoderThatReconnects_hasOneClock() throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, 8, "libx264 -preset ultrafast -bf 2 -g 60");
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            recorded(server, flv, "standard");
            recorded(server, flv, "low");
        }
    }

    private void recorded(TestServer server, Path flv, String mode) throws Exception {
        JsonNode stream =
                server.createStream(
                        "{\"record\": true, \"reconnect_window\": 60, \"latency_mode\": \"%s\"}"
                                .formatted(mode));
        String push = server.push(stream.path("stream_key").asText());
        push(flv, push, 1);
        push(flv, push, 2);
        String growing = playlist(server);
        push(flv, push, 3);
        server.complete(stream.path("id").asText());
        TestServer.await("the end", SOON, () -> !asset(server).path("is_live").asBoolean());

        JsonNode asset = asset(server);
        boolean any = mode.equals("standard");
        FrameTimes hls = FrameTimes.ofHls(server, address(server, asset, ".m3u8"), any);
        FrameTimes mp4 = FrameTimes.ofMp4(address(server, asset, "/capped-1080p.mp4"));
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 3 * 240; i++) {
            numbers.add(i % 240);
        }
        assertEquals(numbers, hls.numbers());
        assertEquals(numbers, mp4.numbers());
        assertSameTimes(hls, mp4);
        assertEquals(0, hls.timesMs().getFirst());
        long durationMs = Math.round(asset.path("duration").asDouble() * 1_000);
        assertNear(durationMs, hls.durationMs(), "sum of EXTINF");
        assertNear(durationMs, mp4.durationMs(), "MP4");
        assertNear(24_000, durationMs, "of 3 times 8 s");
        assertPrefix(growing, playlist(server));
        thumbnails(server, asset, hls);
        clips(server, asset, hls);
    }

    private static void push(Path flv, String address, int times) throws Exception {
        try (Encoder encoder =
                Encoder.run(
                        ("ffmpeg -v info -readrate 4 -i " + flv + " -c copy -f flv " + address)
                                .split(" "))) {
            assertEquals(0, encoder.await(SOON), () -> "push " + times + ": " + encoder.output());
        }
    }

    private static void assertSameTimes(FrameTimes hls, FrameTimes mp4) {
        for (int i = 0; i < hls.timesMs().size(); i++) {
            long hlsMs = hls.timesMs().get(i);
            long mp4Ms = mp4.timesMs().get(i);
            assertTrue(
                    Math.abs(hlsMs - mp4Ms) <= 1,
                    "frame %d: HLS %d ms, MP4 %d ms".formatted(i, hlsMs, mp4Ms));
        }
    }

    private static void assertNear(long expectedMs, long ms, String what) {
        assertTrue(Math.abs(expectedMs - ms) <= 1, what + ": " + ms + " of " + expectedMs + " ms");
    }

    /** The playlist of the growing asset names the same segments with the same durations. */
    private static void assertPrefix(String growing, String finished) {
        List<String> before = growing.lines().filter(AssetTimeIT::isMedia).toList();
        List<String> after = finished.lines().filter(AssetTimeIT::isMedia).toList();
        assertTrue(before.size() > 2, growing);
        assertEquals(before, after.subList(0, before.size()));
    }

    private static boolean isMedia(String line) {
        return line.startsWith("#EXTINF:")
                || line.startsWith("#EXT-X-PROGRAM-DATE-TIME:")
                || !line.startsWith("#");
    }

    /** A thumbnail is the last key frame at a time or before it: every 60th. */
    private void thumbnails(TestServer server, JsonNode asset, FrameTimes hls) throws Exception {
        for (long timeMs : List.of(0L, 1_983L, 5_017L, 7_990L, 8_050L, 12_345L, 23_900L)) {
            URI address =
                    address(server, asset, "/thumbnail.jpg?time=%.3f".formatted(timeMs / 1e3));
            TestServer.await("a thumbnail", SOON, () -> server.get(address).statusCode() != 503);
            List<Integer> shown = NumberedVideo.numbers(address.toString());
            assertEquals(List.of(hls.at(timeMs) / 60 * 60), shown, "at " + timeMs + " ms");
        }
    }

    private void clips(TestServer server, JsonNode asset, FrameTimes hls) throws Exception {
        long endMs = Math.round(asset.path("duration").asDouble() * 1_000);
        long[][] ranges = {{0, 900}, {5_017, 6_050}, {7_500, 8_500}, {15_900, 17_100}};
        for (long[] range : ranges) {
            clip(server, asset, hls, range[0], range[1]);
        }
        clip(server, asset, hls, endMs - 700, endMs);
    }

    private void clip(TestServer server, JsonNode asset, FrameTimes hls, long startMs, long endMs)
            throws Exception {
        String body =
                "{\"asset_id\": \"%s\", \"start_time\": %.3f, \"end_time\": %.3f}"
                        .formatted(asset.path("asset_id").asText(), startMs / 1e3, endMs / 1e3);
        JsonNode clip = server.call("POST", "/video-streams/v1/video/clip", body, 200).path("data");
        String path = ASSETS + "/" + clip.path("asset_id").asText();
        TestServer.await(
                "the clip",
                SOON,
                () -> !data(server, path).path("status").asText().equals("preparing"));
        JsonNode made = data(server, path);
        assertEquals("ready", made.path("status").asText(), made::toString);
        FrameTimes ofHls = FrameTimes.ofHls(server, address(server, made, ".m3u8"), true);
        FrameTimes ofMp4 = FrameTimes.ofMp4(address(server, made, "/capped-1080p.mp4"));
        assertEquals(hls.from(startMs, endMs), ofHls.numbers(), "clip from " + startMs);
        assertEquals(ofHls.numbers(), ofMp4.numbers());
        assertSameTimes(ofHls, ofMp4);
        assertEquals(0, ofHls.timesMs().getFirst());
        long durationMs = Math.round(made.path("duration").asDouble() * 1_000);
        assertNear(durationMs, ofHls.durationMs(), "sum of EXTINF");
        assertNear(durationMs, ofMp4.durationMs(), "MP4");
    }

    private static String playlist(TestServer server) throws Exception {
        TestServer.await(
                "a playlist", SOON, () -> asset(server).path("status").asText().equals("ready"));
        return server.get(server.mediaPlaylist(address(server, asset(server), ".m3u8"))).body();
    }

    private static URI address(TestServer server, JsonNode asset, String rest) {
        return server.playback(asset.at("/playback_ids/0/id").asText() + rest);
    }

    private static JsonNode asset(TestServer server) {
        return data(server, ASSETS).path(0);
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }
}
