package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.storage.S3Store;

/** The server is killed in the middle of tasks, several times, and started again. */
final class TranscodingCrashIT {
    private static final Duration LATER = Duration.ofMinutes(3);
    private static final int KILLS = Integer.getInteger("touchline.test.kills", 4);
    private static final int REQUESTS = 3;

    @TempDir Path folder;

    private S3Store store;
    private VodPeers peers;

    @BeforeEach
    void start() throws Exception {
        store = S3Store.start();
        peers = new VodPeers(Files.createDirectories(folder.resolve("inputs")));
    }

    @AfterEach
    void stop() throws Exception {
        peers.close();
        store.close();
    }

    @Test
    void killedServer_endsEveryTaskOnce_andLeavesNothingBehind() throws Exception {
        makeInput();
        Random random = new Random(20261121);
        Set<String> ids = new TreeSet<>();
        try (TestServer server =
                TestServer.start(
                        folder.resolve("data"),
                        Map.of(
                                "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                                "TOUCHLINE_STORAGE_MIN_FREE", "0"))) {
            String storage = storage(server);
            for (int i = 0; i < REQUESTS; i++) {
                request(server, storage, ids);
            }
            for (int i = 0; i < KILLS; i++) {
                Process process = server.startElsewhere();
                assertFalse(process.waitFor(200 + random.nextInt(4_000), TimeUnit.MILLISECONDS));
                process.destroyForcibly().waitFor();
            }
            server.resume();
            TestServer.await("the last notification", LATER, () -> told().size() == ids.size());

            for (String id : ids) {
                JsonNode task = server.call("GET", "/vodencoding/v1/tasks/" + id, "", 200);
                assertEquals(
                        "succeeded", task.path("data").path("status").asText(), task::toString);
            }
            assertEquals(ids, told().keySet());
            assertNoOrphans(ids);
            TestServer.await("work is put away", LATER, this::nothingTemporary);
        }
    }

    private void makeInput() throws Exception {
        Process ffmpeg =
                new ProcessBuilder(
                                "ffmpeg",
                                "-v",
                                "error",
                                "-f",
                                "lavfi",
                                "-i",
                                "testsrc2=s=640x360:r=25:d=12",
                                "-c:v",
                                "libx264",
                                "-preset",
                                "ultrafast",
                                folder.resolve("inputs/match.mp4").toString())
                        .inheritIO()
                        .start();
        assertEquals(0, ffmpeg.waitFor());
    }

    private String storage(TestServer server) throws Exception {
        return server.call(
                        "POST",
                        "/vodencoding/v1/add_storage",
                        """
                        {"type": "s3", "region": "us-east-1", "bucket": "%s", "endpoint": "%s",
                         "storage_ak": "%s", "storage_sk": "%s", "notify": "%s"}
                        """
                                .formatted(
                                        S3Store.BUCKET,
                                        store.endpoint(),
                                        S3Store.ACCESS_KEY,
                                        S3Store.SECRET_KEY,
                                        peers.at("/done")),
                        200)
                .path("data")
                .path("storage_id")
                .asText();
    }

    private void request(TestServer server, String storage, Set<String> ids) throws Exception {
        server.call(
                        "POST",
                        "/vodencoding/v1/tasks",
                        """
                        {"storage_id": "%s", "input": "%s",
                         "outputs": [{"format": "mp4", "height": 480}, {"format": "hls", "height": 240}]}
                        """
                                .formatted(storage, peers.at("/files/match.mp4")),
                        202)
                .path("data")
                .path("tasks")
                .forEach(task -> ids.add(task.path("task_id").asText()));
    }

    /** What the receiver knows of each task; a repeated delivery says the same. */
    private Map<String, JsonNode> told() {
        Map<String, JsonNode> known = new HashMap<>();
        for (VodPeers.Notice notice : peers.notices) {
            for (JsonNode result : notice.json().path("data")) {
                JsonNode before = known.put(result.path("task_id").asText(), result);
                assertTrue(before == null || before.equals(result), () -> before + " " + result);
            }
        }
        return known;
    }

    private void assertNoOrphans(Set<String> ids) {
        List<String> keys = store.keys();
        for (String key : keys) {
            assertTrue(ids.contains(key.substring(0, key.indexOf('/'))), key);
        }
        for (String id : ids) {
            assertTrue(
                    keys.contains(id + "/output.mp4") || keys.contains(id + "/index.m3u8"),
                    () -> id + " in " + keys);
        }
        assertEquals(0, store.openUploads());
    }

    private boolean nothingTemporary() {
        try (Stream<Path> files = Files.list(folder.resolve("data/transcoding"))) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
