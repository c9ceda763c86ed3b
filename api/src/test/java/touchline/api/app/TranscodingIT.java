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
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;

/** Requests to a whole server, outputs in a real S3 server, judged by ffprobe and ffmpeg. */
final class TranscodingIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final double FRAME_SECONDS = 1.0 / 25;
    private static final String FOUR =
            """
            [{"format": "mp4", "height": 90}, {"format": "hls", "height": [180, 90]},
             {"format": "dash"}, {"format": "flv", "filename": "goal.flv"}]
            """;
    private static final String FIVE =
            FOUR.strip().replaceFirst("]$", ", {\"format\": \"hls\", \"renditions\": true}]");

    @TempDir private Path folder;

    private S3Store store;
    private FaultyGate gate;
    private VodPeers peers;

    @BeforeEach
    void start() throws Exception {
        store = S3Store.start();
        gate = new FaultyGate(store.port());
        peers = new VodPeers(Files.createDirectories(folder.resolve("inputs")));
    }

    @AfterEach
    void stop() throws Exception {
        peers.close();
        gate.close();
        store.close();
    }

    private TestServer server(Map<String, String> more) throws Exception {
        Map<String, String> environment = new TreeMap<>(more);
        environment.put("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
        environment.put("TOUCHLINE_STORAGE_FILE_ROOT", folder.resolve("root").toString());
        environment.putIfAbsent("TOUCHLINE_STORAGE_MIN_FREE", "0");
        return TestServer.start(folder.resolve("data"), environment);
    }

    private String input(String name, String... arguments) throws Exception {
        Files.copy(
                EncodedInputs.get("mp4", List.of(arguments)),
                folder.resolve("inputs").resolve(name));
        return peers.at("/files/" + name).toString();
    }

    /** Three seconds with B-frames and a tone. */
    private String match() throws Exception {
        return input(
                "match.mp4",
                "-f",
                "lavfi",
                "-i",
                "testsrc2=s=854x480:r=25:d=3",
                "-f",
                "lavfi",
                "-i",
                "sine=f=440:r=48000:d=3",
                "-c:v",
                "libx264",
                "-preset",
                "veryfast",
                "-c:a",
                "aac");
    }

    @Test
    void fiveOutputs_ofAnAddress_playAndAreNotifiedOnce() throws Exception {
        peers.refusals.set(1);
        try (TestServer server = server(Map.of())) {
            VodClient client = new VodClient(server, peers);
            String storage = client.storage(gate.endpoint());
            List<String> ids = client.request(storage, match(), FIVE);

            VodPeers.Notice refused = client.notice(0);
            VodPeers.Notice notice = client.notice(1);

            assertEquals(refused.body(), notice.body());
            assertEquals(refused.header("webhook-id"), notice.header("webhook-id"));
            OutputJudge.assertSigned(notice, S3Store.SECRET_KEY);
            JsonNode json = notice.json();
            assertEquals(0, json.path("code").asInt(-1));
            assertEquals("succeeded", json.path("msg").asText(), notice::body);
            assertEquals(peers.at("/done").toString(), json.path("callback_url").asText());
            assertEquals(5, json.path("data").size());
            for (int i = 0; i < ids.size(); i++) {
                JsonNode result = json.path("data").path(i);
                assertEquals(ids.get(i), result.path("task_id").asText());
                assertEquals("succeeded", result.path("status").asText());
                assertEquals(3.0, result.path("duration").asDouble(), FRAME_SECONDS);
                assertTrue(result.path("spend_time").asDouble() > 0);
                OutputJudge.assertPlays(store, result.path("output").asText(), folder);
            }
            assertSameSegments(json.path("data").path(4).path("output").asText());
            assertTrue(client.task(ids.getLast()).path("renditions").asBoolean());
            TestServer.await(
                    "delivered",
                    SOON,
                    () ->
                            client.task(ids.getFirst())
                                    .path("notification")
                                    .path("status")
                                    .asText()
                                    .equals("delivered"));
            JsonNode log = client.task(ids.getFirst()).path("notification").path("attempts");
            assertEquals(500, log.path(0).path("http_status").asInt());
            assertEquals(200, log.path(1).path("http_status").asInt());
            assertNothingTemporary();
        }
    }

    /** The source was copied, and its rendition begins its segments at the same times. */
    private void assertSameSegments(String output) throws Exception {
        Path entry = OutputJudge.download(store, output, folder);
        String text = Files.readString(entry);
        assertTrue(text.indexOf("RESOLUTION=854x480") < text.indexOf("RESOLUTION=640x360"), text);
        assertEquals(
                durations(entry.resolveSibling("v480/index.m3u8")),
                durations(entry.resolveSibling("v360/index.m3u8")));
    }

    private static List<String> durations(Path playlist) throws Exception {
        List<String> lines = Files.readAllLines(playlist);
        return lines.stream().filter(line -> line.startsWith("#EXTINF")).toList();
    }

    @Test
    void fourOutputs_ofAnAsset_play() throws Exception {
        try (TestServer server = server(Map.of())) {
            VodClient client = new VodClient(server, peers);
            String storage = client.storage(gate.endpoint());
            JsonNode asset = recorded(server);
            double seconds = asset.path("duration").asDouble();

            client.request(storage, "asset:" + asset.path("asset_id").asText(), FOUR);

            JsonNode json = client.notice(0).json();
            assertEquals("succeeded", json.path("msg").asText(), json::toString);
            for (JsonNode result : json.path("data")) {
                // An encoder that is cut inside a group of B-frames leaves a frame that is shown up
                // to
                // four frames behind the recording's end.
                assertEquals(seconds, result.path("duration").asDouble(), 0.17);
                OutputJudge.assertPlays(store, result.path("output").asText(), folder);
            }
            assertNothingTemporary();
        }
    }

    private JsonNode recorded(TestServer server) throws Exception {
        JsonNode stream = server.createStream("{\"record\":true}");
        String id = stream.path("id").asText();
        try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
            TestServer.await(
                    "growing; the encoder says " + encoder.output(),
                    SOON,
                    () -> asset(server, id).path("duration").asDouble() > 4);
            server.call("PUT", "/live/v1/live-streams/" + id + "/complete", "", 200);
        }
        TestServer.await(
                "the recording's end",
                SOON,
                () ->
                        asset(server, id).has("is_live")
                                && !asset(server, id).path("is_live").asBoolean());
        return asset(server, id);
    }

    private static JsonNode asset(TestServer server, String stream) {
        try {
            return server.call("GET", "/video-streams/v1/assets?live_stream_id=" + stream, "", 200)
                    .path("data")
                    .path(0);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void assertNothingTemporary() throws Exception {
        Path work = folder.resolve("data/transcoding");
        TestServer.await("work is put away", SOON, () -> isEmpty(work));
        assertEquals(0, store.openUploads());
    }

    private static boolean isEmpty(Path work) {
        try (var files = Files.list(work)) {
            return files.findAny().isEmpty();
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void badInputs_failWithTheirCodes_andNoOther() throws Exception {
        match();
        Path inputs = folder.resolve("inputs");
        byte[] whole = Files.readAllBytes(inputs.resolve("match.mp4"));
        Files.write(inputs.resolve("cut.mp4"), java.util.Arrays.copyOf(whole, whole.length / 2));
        Files.writeString(
                inputs.resolve("page.mp4"), "<!DOCTYPE html><html><body>no</body></html>");
        Map<String, Integer> expected =
                Map.of(
                        peers.at("/files/none.mp4").toString(), 1001,
                        peers.at("/inside").toString(), 1002,
                        peers.at("/files/cut.mp4").toString(), 1003,
                        peers.at("/files/page.mp4").toString(), 1003,
                        peers.at("/endless").toString(), 1008,
                        peers.at("/files/match.mp4").toString(), 0);
        try (TestServer server = server(Map.of("TOUCHLINE_TRANSCODING_MAX_INPUT", "2MiB"))) {
            VodClient client = new VodClient(server, peers);
            String storage = client.storage(gate.endpoint());
            Map<String, String> tasks = new TreeMap<>();
            for (String input : expected.keySet()) {
                tasks.put(
                        client.request(storage, input, "[{\"format\": \"mp4\"}]").getFirst(),
                        input);
            }

            TestServer.await(
                    "all notifications", SOON, () -> peers.notices.size() >= expected.size());

            for (VodPeers.Notice notice : peers.notices) {
                JsonNode result = notice.json().path("data").path(0);
                String input = tasks.get(result.path("task_id").asText());
                assertEquals(expected.get(input), result.path("error_code").asInt(), notice.body());
                assertFalse(notice.body().contains(folder.toString()), notice.body());
            }
            assertEquals(1, store.keys().size(), () -> store.keys().toString());
            assertNothingTemporary();
        }
    }

    @Test
    void bucketThatIsGone_failsTheTask_andNoOther() throws Exception {
        String match = match();
        try (TestServer server = server(Map.of())) {
            VodClient client = new VodClient(server, peers);
            String storage = client.storage(gate.endpoint());
            String archive = client.archive();
            store.removeBucket();

            String lost = client.request(storage, match, "[{\"format\": \"mp4\"}]").getFirst();
            String kept = client.request(archive, match, "[{\"format\": \"mp4\"}]").getFirst();
            client.notice(1);

            assertEquals(1005, client.task(lost).path("error_code").asInt());
            assertEquals("succeeded", client.task(kept).path("status").asText());
            assertTrue(
                    Files.isRegularFile(
                            folder.resolve("root")
                                    .resolve(client.task(kept).path("output").asText())));
        }
    }

    @Test
    void runningTask_canceled_leavesNothing() throws Exception {
        String input =
                input(
                        "long.mp4",
                        "-f",
                        "lavfi",
                        "-i",
                        "testsrc2=s=640x360:r=15:d=60",
                        "-c:v",
                        "libx264",
                        "-preset",
                        "ultrafast");
        try (TestServer server = server(Map.of())) {
            VodClient client = new VodClient(server, peers);
            String storage = client.storage(gate.endpoint());
            String id =
                    client.request(storage, input, "[{\"format\": \"mp4\", \"height\": 1080}]")
                            .getFirst();
            TestServer.await(
                    "some progress", SOON, () -> client.task(id).path("progress").asDouble() > 0);

            server.call("DELETE", "/vodencoding/v1/tasks/" + id, "", 200);

            JsonNode result = client.notice(0).json().path("data").path(0);
            assertEquals("failed", result.path("status").asText());
            assertEquals(1009, result.path("error_code").asInt());
            assertEquals("canceled", client.task(id).path("status").asText());
            assertEquals(List.of(), store.keys());
            assertNothingTemporary();
        }
    }
}
