package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.TestPostgres;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;
import touchline.config.DatabaseConfig;

/** Two nodes with one bucket: each plays, downloads and cuts what the other one has recorded. */
@Timeout(480)
final class RecordingsOnAnyNodeIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final int SECONDS = 5;
    private static final List<Integer> ALL = shown(0, SECONDS * NumberedVideo.PER_SECOND);

    private final DatabaseConfig database = TestPostgres.newDatabase();

    @TempDir private Path folder;

    @Test
    void recording_isServedByBothNodes_andOutlivesTheOneThatMadeIt() throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, SECONDS, "libx264 -preset ultrafast -bf 2 -g 60");
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                StartedServer a =
                        StartedServer.inProcess(folder.resolve("node-a"), node("node-a", gate));
                StartedServer b =
                        StartedServer.inThisJvm(folder.resolve("node-b"), node("node-b", gate))) {
            a.awaitReady();
            gate.refuseAll(503, "SlowDown");
            String id = recorded(a, flv);
            String playbackId = playbackId(b, id);

            // Not in S3 yet: node b asks node a.
            assertEquals(ALL, played(b, hls(playbackId)));
            assertTrue(Files.notExists(files("node-b", id)));

            gate.acceptAll();
            TestServer.await("the upload", SOON, () -> stored(a) == 1);
            a.kill();
            assertEquals(ALL, played(b, hls(playbackId)));
            assertEquals(ALL, played(b, mp4(playbackId)));
            String thumbnail = "/" + playbackId + "/thumbnail.jpg";
            TestServer.await(thumbnail, SOON, () -> b.view(thumbnail).statusCode() == 200);
            String clip = clip(b, id);
            assertEquals(shown(41, 91), played(b, mp4(playbackId(b, clip))));

            // The other way round: node a gets what node b has made, also from S3.
            TestServer.await("the upload of the clip", SOON, () -> stored(b) == 1);
            a.restartInThisJvm();
            assertEquals(shown(41, 91), played(a, hls(playbackId(a, clip))));
            assertTrue(Files.exists(files("node-a", clip)));

            b.call("DELETE", ASSETS + "/" + id, "");
            assertEquals(404, b.view(hls(playbackId)).statusCode());
            TestServer.await(
                    "all copies are removed",
                    SOON,
                    () ->
                            Files.notExists(files("node-a", id))
                                    && Files.notExists(files("node-b", id)));
            assertEquals(404, a.view(hls(playbackId)).statusCode());
        }
    }

    /**
     * The numbers of all frames. A node may still know a dead one for two seconds, and a busy one
     * asks to try again.
     */
    private static List<Integer> played(StartedServer node, String address) throws Exception {
        TestServer.await(address, SOON, () -> node.view(address).statusCode() == 200);
        return NumberedVideo.numbers(node.playback(address));
    }

    private Map<String, String> node(String name, FaultyGate gate) {
        Map<String, String> environment = StartedServer.node(name, database, gate.endpoint());
        // Nothing here needs another node to notice an end, and a busy host may pause one.
        environment.put("TOUCHLINE_CLUSTER_LEASE", "60s");
        return environment;
    }

    private Path files(String node, String asset) {
        return folder.resolve(node).resolve("assets").resolve(asset);
    }

    private static String recorded(StartedServer node, Path flv) throws Exception {
        String key =
                node.call(
                                "POST",
                                "/live/v1/live-streams",
                                "{\"record\": true, \"reconnect_window\": 0}")
                        .path("stream_key")
                        .asText();
        String command = "ffmpeg -v info -re -i " + flv + " -c copy -f flv " + node.push(key);
        try (Encoder encoder = Encoder.run(command.split(" "))) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
        TestServer.await("a finished asset", SOON, () -> isFinished(node.get(ASSETS).path(0)));
        JsonNode asset = node.get(ASSETS).path(0);
        assertEquals(SECONDS, asset.path("duration").asDouble(), asset::toString);
        return asset.path("asset_id").asText();
    }

    private static boolean isFinished(JsonNode asset) {
        return asset.path("status").asText().equals("ready") && !asset.path("is_live").asBoolean();
    }

    /** Frames 41 to 90: from 1.35 to 3.03 s. */
    private static String clip(StartedServer node, String source) throws Exception {
        String body =
                "{\"asset_id\": \"%s\", \"start_time\": 1.35, \"end_time\": 3.017}"
                        .formatted(source);
        String id =
                node.call("POST", "/video-streams/v1/video/clip", body).path("asset_id").asText();
        TestServer.await("the clip", SOON, () -> isFinished(node.get(ASSETS + "/" + id)));
        return id;
    }

    private static int stored(StartedServer node) {
        return node.get("/system/v1/storage").path("stored_assets").asInt();
    }

    private static String playbackId(StartedServer node, String asset) {
        return node.get(ASSETS + "/" + asset).at("/playback_ids/0/id").asText();
    }

    private static String hls(String playbackId) {
        return "/" + playbackId + ".m3u8";
    }

    private static String mp4(String playbackId) {
        return "/" + playbackId + "/capped-1080p.mp4";
    }

    private static List<Integer> shown(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }
}
