package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;

/** Faults that stay until a task is given up: its code, and that no other task suffers. */
@Timeout(480)
final class TranscodingFaultsIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String MP4 = "[{\"format\": \"mp4\"}]";

    @TempDir private Path folder;

    private S3Store store;
    private FaultyGate busy;
    private FaultyGate closed;
    private VodPeers peers;

    @BeforeEach
    void start() throws Exception {
        store = S3Store.start();
        busy = new FaultyGate(store.port());
        closed = new FaultyGate(store.port());
        Path inputs = Files.createDirectories(folder.resolve("inputs"));
        Clapper.make(inputs.resolve("match.mp4"));
        peers = new VodPeers(inputs);
    }

    @AfterEach
    void stop() throws Exception {
        peers.close();
        closed.close();
        busy.close();
        store.close();
    }

    private String match() {
        return peers.at("/files/match.mp4").toString();
    }

    /** A container that names itself larger than any disk, and tables of 4 thousand million. */
    private void makeHostileInputs() throws Exception {
        Path inputs = folder.resolve("inputs");
        byte[] whole = Files.readAllBytes(inputs.resolve("match.mp4"));
        byte[] bomb = whole.clone();
        String text = new String(bomb, StandardCharsets.ISO_8859_1);
        for (String box : new String[] {"stsz", "stts", "stco", "ctts", "stsc"}) {
            for (int at = text.indexOf(box); at > 0; at = text.indexOf(box, at + 4)) {
                Arrays.fill(bomb, at + 8, at + 16, (byte) 0x7F);
            }
        }
        Files.write(inputs.resolve("bomb.mp4"), bomb);
        assertEquals(
                "",
                OutputJudge.run(
                        List.of(
                                "ffmpeg",
                                "-v",
                                "error",
                                "-i",
                                inputs.resolve("match.mp4").toString(),
                                "-c",
                                "copy",
                                inputs.resolve("whole.mkv").toString())));
        byte[] matroska = Files.readAllBytes(inputs.resolve("whole.mkv"));
        Files.write(inputs.resolve("cut.mkv"), Arrays.copyOf(matroska, matroska.length / 2));
    }

    @Test
    void faultsThatLast_endWithTheirCodes_andNoOther() throws Exception {
        makeHostileInputs();
        try (TestServer server =
                TestServer.hasty(
                        folder.resolve("data"),
                        Map.of(
                                "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                                "TOUCHLINE_STORAGE_MIN_FREE", "0"))) {
            VodClient client = new VodClient(server, peers);
            String good = client.storage(store.endpoint());
            String withBusy = client.storage(busy.endpoint());
            String withClosed = client.storage(closed.endpoint());
            busy.refuseAll(503, "ServiceUnavailable");
            closed.refuseAll(403, "SignatureDoesNotMatch");
            Map<String, Integer> expected = new TreeMap<>();
            expected.put(client.request(withBusy, match(), MP4).getFirst(), 1006);
            expected.put(client.request(withClosed, match(), MP4).getFirst(), 1005);
            for (String name : new String[] {"bomb.mp4", "cut.mkv"}) {
                String input = peers.at("/files/" + name).toString();
                expected.put(client.request(good, input, MP4).getFirst(), 1003);
            }
            expected.put(client.request(good, match(), MP4).getFirst(), 0);

            TestServer.await(
                    "all notifications", SOON, () -> client.notified().size() >= expected.size());

            Map<String, Integer> codes = new TreeMap<>();
            for (JsonNode result : client.notified()) {
                codes.put(result.path("task_id").asText(), result.path("error_code").asInt());
                assertFalse(result.toString().contains(folder.toString()), result::toString);
            }
            assertEquals(expected, codes);
            assertEquals(1, store.keys().size(), () -> store.keys().toString());
        }
    }

    @Test
    void diskThatIsFull_failsTheTask_andTheNextOneSucceedsWhenThereIsSpace() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("disk"));
        try (SmallDisk disk = SmallDisk.at(mount);
                TestServer server =
                        TestServer.hasty(
                                disk.folder().resolve("data"),
                                Map.of(
                                        "TOUCHLINE_EGRESS_ALLOW",
                                        "127.0.0.0/8",
                                        "TOUCHLINE_STORAGE_MIN_FREE",
                                        disk.minFree()))) {
            VodClient client = new VodClient(server, peers);
            String storage = client.storage(store.endpoint());
            disk.fill();

            client.request(storage, match(), MP4);

            JsonNode lost = client.notice(0).json().path("data").path(0);
            assertEquals(1008, lost.path("error_code").asInt(), lost::toString);
            disk.free();
            client.request(storage, match(), MP4);
            JsonNode kept = client.notice(1).json().path("data").path(0);
            assertEquals("succeeded", kept.path("status").asText(), kept::toString);
            assertEquals(1, store.keys().size(), () -> store.keys().toString());
        }
    }
}
