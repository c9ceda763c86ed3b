package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk runs full while a session is recorded, and has space again. */
class DiskFullIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";

    @TempDir private Path folder;

    @Test
    void diskFull_recordingStops_liveGoesOn_andRecordingGoesOnWhenThereIsSpace() throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, 100, "libx264 -preset ultrafast -bf 0 -g 30");
        Path mount = Files.createDirectory(folder.resolve("disk"));
        try (SmallDisk disk = SmallDisk.at(mount)) {
            Map<String, String> environment = Map.of("TOUCHLINE_STORAGE_MIN_FREE", disk.minFree());
            try (TestServer server = TestServer.start(disk.folder().resolve("data"), environment)) {
                fillAndFree(server, disk, flv);
            }
        }
    }

    private void fillAndFree(TestServer server, SmallDisk disk, Path flv) throws Exception {
        JsonNode stream = server.createStream("{\"record\": true, \"reconnect_window\": 0}");
        String id = stream.path("id").asText();
        URI live = server.playback(stream.at("/playback_ids/0/id").asText() + ".m3u8");
        try (Encoder encoder =
                Encoder.run(
                        "ffmpeg",
                        "-v",
                        "info",
                        "-re",
                        "-i",
                        flv.toString(),
                        "-c",
                        "copy",
                        "-f",
                        "flv",
                        server.push(stream.path("stream_key").asText()))) {
            TestServer.await(
                    "something is recorded; the encoder says " + encoder.output(),
                    SOON,
                    () -> assets(server).path(0).path("duration").asDouble() > 4);

            disk.fill();
            TestServer.await(
                    "recording stops",
                    SOON,
                    () -> !assets(server).path(0).path("is_live").asBoolean());
            JsonNode first = assets(server).path(0);
            assertEquals("ready", first.path("status").asText(), first::toString);
            assertEquals("low_space", first.at("/errors/0/type").asText(), first::toString);
            assertWhole(server, first);

            URI media = server.mediaPlaylist(live);
            long before = PublishedEdge.nextSegment(server.get(media).body());
            TestServer.await(
                    "live goes on",
                    SOON,
                    () -> PublishedEdge.nextSegment(server.get(media).body()) > before + 1);
            assertEquals("active", server.status(id));
            assertEquals(1, assets(server).size());

            disk.free();
            TestServer.await(
                    "recording goes on",
                    SOON,
                    () ->
                            assets(server).size() == 2
                                    && assets(server).path(0).path("duration").asDouble() > 8);
            assertTrue(encoder.isRunning(), encoder::output);
            assertWhole(server, assets(server).path(0), /* growing= */ true);
        }
        TestServer.await(
                "the end", SOON, () -> !assets(server).path(0).path("is_live").asBoolean());
        JsonNode second = assets(server).path(0);
        assertEquals(0, second.path("errors").size(), second::toString);
        assertWhole(server, second);
        URI again = server.playback(second.at("/playback_ids/0/id").asText() + ".m3u8");
        URI media = server.mediaPlaylist(again);
        server.restart();
        assertEquals(media, server.mediaPlaylist(again), "who watches it can go on");
        assertWhole(server, assets(server).path(0));
        assertWhole(server, assets(server).path(1));
    }

    private static void assertWhole(TestServer server, JsonNode asset) throws Exception {
        assertWhole(server, asset, /* growing= */ false);
    }

    /** Every frame from the first to the last, each once. */
    private static void assertWhole(TestServer server, JsonNode asset, boolean growing)
            throws Exception {
        String playbackId = asset.at("/playback_ids/0/id").asText();
        if (growing) {
            String list = server.get(server.playback(playbackId + ".m3u8")).body();
            assertFalse(list.isBlank());
            String media =
                    server.get(server.mediaPlaylist(server.playback(playbackId + ".m3u8"))).body();
            assertTrue(media.contains("EXT-X-PLAYLIST-TYPE:EVENT"), media);
            assertFalse(media.contains("EXT-X-ENDLIST"), media);
            return;
        }
        for (String path : List.of(playbackId + ".m3u8", playbackId + "/capped-1080p.mp4")) {
            List<Integer> numbers = NumberedVideo.numbers(server.playback(path).toString());
            assertEquals(
                    IntStream.rangeClosed(numbers.getFirst(), numbers.getLast()).boxed().toList(),
                    numbers,
                    path);
            double seconds = asset.path("duration").asDouble();
            assertEquals(seconds * NumberedVideo.PER_SECOND, numbers.size(), 1.5, path);
        }
    }

    private static JsonNode assets(TestServer server) {
        try {
            return server.call("GET", ASSETS, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
