package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.FolderTree;
import touchline.api.db.TestPostgres;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;
import touchline.config.DatabaseConfig;
import touchline.packager.record.Recording;

/** Servers that are killed while they record, with a disk that is lost, or comes back too late. */
@Timeout(480)
final class RecordingsOfLostDisksIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final int SECONDS = 60;

    /** One with the first segment, and one with the end. */
    private static final int READY_EVENTS = 2;

    private final DatabaseConfig database = TestPostgres.newDatabase();

    @TempDir private Path folder;
    private Path flv;

    @BeforeEach
    void encode() throws Exception {
        flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, SECONDS, "libx264 -preset ultrafast -bf 2 -g 30");
    }

    @Test
    void aStartWithAnEmptyDisk_finishesWhatTheServerHasRecorded() throws Exception {
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                ServerProcess server =
                        server("alone", ServerProcess.on(database), gate).awaitReady()) {
            String id = killedWhileRecording(server, store, "alone");
            int least = framesBefore(id, "alone");
            FolderTree.remove(folder.resolve("alone"));

            server.restart();

            awaitFinished(server, id);
            assertTrue(plays(server, id, 0) >= least);
            TestServer.await("the upload", SOON, () -> stored(server) == 1);
            assertEquals(List.of(), keys(store, id, "/tail/"));
            assertEquals(READY_EVENTS, readyEvents(server, id));
        }
    }

    @Test
    void aNodeThatIsGoneForGood_isNotNeededForItsRecording() throws Exception {
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                ServerProcess a = node("node-a", gate).awaitReady();
                ServerProcess b = node("node-b", gate).awaitReady()) {
            String id = killedWhileRecording(a, store, "node-a");
            int least = framesBefore(id, "node-a");
            FolderTree.remove(folder.resolve("node-a"));

            awaitFinished(b, id);
            int frames = plays(b, id, 0);
            assertTrue(frames >= least, frames + " of " + least);
            TestServer.await("the upload", SOON, () -> stored(b) == 1);
            assertEquals(List.of(), keys(store, id, "/tail/"));
            assertEquals(READY_EVENTS, readyEvents(b, id));

            a.restart();
            assertEquals(frames, plays(a, id, 0));
            assertEquals(1, a.get(ASSETS).size());
            assertEquals(READY_EVENTS, readyEvents(a, id));
        }
    }

    @Test
    void theNodeThatFinishesIsKilled_andTheDiskComesBackWithMore() throws Exception {
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                ServerProcess a = node("node-a", gate).awaitReady();
                ServerProcess b = node("node-b", gate).awaitReady()) {
            String id;
            int before;
            try (Encoder _ = encoder(a)) {
                id = recording(a, store);
                gate.refuseAll(503, "SlowDown");
                before = segments(id, "node-a");
                TestServer.await(
                        "segments that S3 lacks", SOON, () -> segments(id, "node-a") > before + 2);
                a.kill();
            }
            int all = segments(id, "node-a");
            gate.acceptAll();

            TestServer.await(
                    "node b takes it", SOON, () -> b.output().contains("is finished here"));
            b.kill();
            b.restart();
            awaitFinished(b, id);
            TestServer.await("the upload", SOON, () -> stored(b) == 1);
            int frames = plays(b, id, 0);
            assertEquals(READY_EVENTS, readyEvents(b, id));

            a.restart();
            TestServer.await("the rest", SOON, () -> isFinished(other(a, id)));
            String rest = other(a, id).path("asset_id").asText();
            int more = plays(a, rest, frames);
            assertTrue(more >= (all - before - 1) * NumberedVideo.PER_SECOND / 2, () -> "" + more);
            TestServer.await(
                    "the folder is removed",
                    SOON,
                    () -> !Files.exists(files("node-a", id).resolve("rest")));
            TestServer.await("the upload of the rest", SOON, () -> stored(a) == 1);
            assertEquals(more, plays(b, rest, frames));
            assertEquals(frames, plays(a, id, 0));
        }
    }

    private ServerProcess node(String name, FaultyGate gate) throws IOException {
        return server(name, ServerProcess.node(name, database), gate);
    }

    private ServerProcess server(String name, Map<String, String> environment, FaultyGate gate)
            throws IOException {
        environment.put("TOUCHLINE_STORAGE_S3_ENDPOINT", gate.endpoint().toString());
        environment.put("TOUCHLINE_STORAGE_S3_BUCKET", S3Store.BUCKET);
        environment.put("TOUCHLINE_STORAGE_S3_ACCESS_KEY", S3Store.ACCESS_KEY);
        environment.put("TOUCHLINE_STORAGE_S3_SECRET_KEY", S3Store.SECRET_KEY);
        environment.put("TOUCHLINE_STORAGE_S3_FINISH_AFTER", "10s");
        return new ServerProcess(folder.resolve(name), environment);
    }

    /** Pushes at the speed of a camera. */
    private Encoder encoder(ServerProcess server) throws IOException {
        String key =
                server.call(
                                "POST",
                                "/live/v1/live-streams",
                                "{\"record\": true, \"reconnect_window\": 0,"
                                        + " \"latency_mode\": \"low\"}")
                        .path("stream_key")
                        .asText();
        return Encoder.run(
                ("ffmpeg -v info -re -i " + flv + " -c copy -f flv " + server.push(key))
                        .split(" "));
    }

    private static String recording(ServerProcess server, S3Store store) throws Exception {
        TestServer.await(
                "segments in S3",
                SOON,
                () -> store.keys().stream().filter(key -> key.contains("/tail/")).count() >= 3);
        return server.get(ASSETS).path(0).path("asset_id").asText();
    }

    private String killedWhileRecording(ServerProcess server, S3Store store, String data)
            throws Exception {
        try (Encoder _ = encoder(server)) {
            String id = recording(server, store);
            int now = segments(id, data);
            TestServer.await("the next segment", SOON, () -> segments(id, data) > now);
            server.kill();
            return id;
        }
    }

    private Path files(String data, String asset) {
        return folder.resolve(data).resolve("assets").resolve(asset);
    }

    private int segments(String asset, String data) {
        try {
            return Recording.load(files(data, asset)).segments().size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Of all complete segments but the last one, whose upload may have been under way. */
    private int framesBefore(String asset, String data) throws IOException {
        List<Recording.Segment> segments = Recording.load(files(data, asset)).segments();
        long us =
                segments.subList(0, segments.size() - 1).stream()
                        .mapToLong(Recording.Segment::durationUs)
                        .sum();
        return (int) (us * NumberedVideo.PER_SECOND / 1_000_000) - 1;
    }

    private static void awaitFinished(ServerProcess server, String id) throws Exception {
        TestServer.await(
                "the recording is finished", SOON, () -> isFinished(server.get(ASSETS + "/" + id)));
    }

    private static boolean isFinished(JsonNode asset) {
        return asset.path("status").asText().equals("ready") && !asset.path("is_live").asBoolean();
    }

    private static JsonNode other(ServerProcess server, String id) {
        for (JsonNode each : server.get(ASSETS)) {
            if (!each.path("asset_id").asText().equals(id)) {
                return each;
            }
        }
        return server.get(ASSETS).path(99);
    }

    private static List<String> keys(S3Store store, String id, String part) {
        return store.keys().stream().filter(key -> key.contains(id) && key.contains(part)).toList();
    }

    private static int stored(ServerProcess node) {
        return node.get("/system/v1/storage").path("stored_assets").asInt();
    }

    private static long readyEvents(ServerProcess server, String id) {
        return StreamSupport.stream(
                        server.get("/system/v1/events?type=asset.ready&limit=100").spliterator(),
                        false)
                .filter(event -> event.toString().contains(id))
                .count();
    }

    /** HLS and MP4 show the same frames, from one on, without a gap; how many. */
    private static int plays(ServerProcess server, String asset, int from) throws Exception {
        String playbackId = server.get(ASSETS + "/" + asset).at("/playback_ids/0/id").asText();
        List<List<Integer>> shown = new ArrayList<>();
        for (String address :
                List.of("/" + playbackId + ".m3u8", "/" + playbackId + "/capped-1080p.mp4")) {
            TestServer.await(address, SOON, () -> server.view(address).statusCode() == 200);
            shown.add(NumberedVideo.numbers(server.playback(address)));
        }
        int count = shown.getFirst().size();
        assertTrue(count > 0);
        List<Integer> expected = IntStream.range(from, from + count).boxed().toList();
        assertEquals(expected, shown.getFirst());
        assertEquals(expected, shown.getLast());
        return count;
    }
}
