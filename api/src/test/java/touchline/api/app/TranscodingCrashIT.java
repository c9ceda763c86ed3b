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
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
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
    /** A long loop: {@code -Dtouchline.test.kills=30}. */
    private static final int KILLS = Integer.getInteger("touchline.test.kills", 2);

    /** So many that the last kills hit work too. */
    private static final int REQUESTS = Math.max(2, KILLS / 2);

    private static final Duration LATER = Duration.ofMinutes(3).plusSeconds(30L * REQUESTS);
    private static final String PREFIX = "vod/";
    private static final String OUTPUTS =
            """
            [{"format": "mp4", "height": 480}, {"format": "hls", "height": 240}]
            """;

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
            VodClient client = new VodClient(server, peers);
            String storage = client.storage(store.endpoint());
            String input = peers.at("/files/match.mp4").toString();
            for (int i = 0; i < REQUESTS; i++) {
                ids.addAll(client.request(storage, input, OUTPUTS));
            }
            for (int i = 0; i < KILLS; i++) {
                Process process = server.startElsewhere();
                assertFalse(process.waitFor(200 + random.nextInt(4_000), TimeUnit.MILLISECONDS));
                process.destroyForcibly().waitFor();
            }
            server.resume();
            TestServer.await("the last notification", LATER, () -> notified().size() == ids.size());

            for (String id : ids) {
                JsonNode task = server.call("GET", "/vodencoding/v1/tasks/" + id, "", 200);
                assertEquals(
                        "succeeded", task.path("data").path("status").asText(), task::toString);
            }
            assertEquals(ids, notified().keySet());
            assertEquals(
                    REQUESTS,
                    peers.notices.stream()
                            .map(notice -> notice.header("webhook-id"))
                            .distinct()
                            .count());
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

    /** Results of each task at the receiver; a repeated delivery has the same result. */
    private Map<String, JsonNode> notified() {
        Map<String, JsonNode> known = new HashMap<>();
        for (VodPeers.Notice notice : peers.notices) {
            for (JsonNode result : notice.json().path("data")) {
                JsonNode before = known.put(result.path("task_id").asText(), result);
                assertTrue(before == null || before.equals(result), () -> before + " " + result);
            }
        }
        return known;
    }

    /** Each task has its own objects, all tasks of a format the same ones; there are no others. */
    private void assertNoOrphans(Set<String> ids) {
        Map<String, Set<String>> byTask = new TreeMap<>();
        for (String key : store.keys()) {
            String[] parts = key.substring(PREFIX.length()).split("/", 2);
            byTask.computeIfAbsent(parts[0], _ -> new TreeSet<>()).add(parts[1]);
        }
        assertEquals(ids, byTask.keySet());
        Set<Set<String>> shapes = new HashSet<>(byTask.values());
        assertEquals(2, shapes.size(), byTask::toString);
        assertTrue(shapes.contains(Set.of("output.mp4")), byTask::toString);
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
