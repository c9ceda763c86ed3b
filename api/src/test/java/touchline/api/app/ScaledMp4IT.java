package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The MP4 of a recording with frames above 1080p. */
class ScaledMp4IT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final int FRAMES = 60;

    @TempDir private Path folder;

    @Test
    void recordingAbove1080p_getsOneScaledMp4_whichGoesWithIt() throws Exception {
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            String key =
                    server.createStream("{\"record\": true, \"reconnect_window\": 0}")
                            .path("stream_key")
                            .asText();
            push(server.push(key));
            TestServer.await(
                    "a finished asset",
                    SOON,
                    () ->
                            assets(server).path(0).path("status").asText().equals("ready")
                                    && !assets(server).path(0).path("is_live").asBoolean());
            JsonNode asset = assets(server).path(0);
            URI mp4 =
                    server.playback(asset.at("/playback_ids/0/id").asText() + "/capped-1080p.mp4");
            HttpResponse<String> early = server.get(mp4);
            if (early.statusCode() != 200) {
                assertEquals(404, early.statusCode(), early.body());
                assertTrue(early.headers().firstValue("Retry-After").isPresent(), early.body());
            }

            TestServer.await("the MP4", SOON, () -> server.get(mp4).statusCode() == 200);
            JsonNode probed = probe(mp4);
            assertEquals(1920, probed.at("/streams/0/width").asInt(), probed::toString);
            assertEquals(1080, probed.at("/streams/0/height").asInt(), probed::toString);
            assertEquals(FRAMES, probed.at("/streams/0/nb_read_frames").asInt());
            assertEquals("aac", probed.at("/streams/1/codec_name").asText());
            assertEquals(
                    asset.path("duration").asDouble(),
                    probed.at("/format/duration").asDouble(),
                    0.1,
                    probed::toString);
            long sizeBytes = server.bytes(mp4).body().length;
            assertTrue(sizeBytes > 10_000, "" + sizeBytes);

            server.restart();
            assertEquals(200, server.get(mp4).statusCode());
            String id = asset.path("asset_id").asText();
            server.call("DELETE", ASSETS + "/" + id, "", 200);
            assertEquals(404, server.get(mp4).statusCode());
            Path files = folder.resolve("data/assets").resolve(id);
            TestServer.await("files gone", SOON, () -> !Files.exists(files));
        }
    }

    private static void push(String address) throws Exception {
        try (Encoder encoder =
                Encoder.run(
                        ("ffmpeg -v info -f lavfi -i testsrc2=size=2560x1440:rate=10 -f lavfi -i"
                                        + " sine=sample_rate=48000 -t 6 -c:v libx264 -preset"
                                        + " ultrafast -bf 2 -g 20 -sc_threshold 0 -pix_fmt yuv420p"
                                        + " -c:a aac -f flv "
                                        + address)
                                .split(" "))) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
    }

    private static JsonNode probe(URI address) throws Exception {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        "ffprobe",
                                        "-v",
                                        "error",
                                        "-count_frames",
                                        "-show_streams",
                                        "-show_format",
                                        "-of",
                                        "json",
                                        address.toString()))
                        .redirectErrorStream(true)
                        .start();
        byte[] said = process.getInputStream().readAllBytes();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        return new ObjectMapper().readTree(said);
    }

    private static JsonNode assets(TestServer server) {
        try {
            return server.call("GET", ASSETS, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
