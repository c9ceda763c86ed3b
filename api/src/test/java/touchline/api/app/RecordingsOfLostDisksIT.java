package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.app.NodePair.A;
import static touchline.api.app.NodePair.B;
import static touchline.api.app.NumberedVideo.count;
import static touchline.api.app.ServerAsset.awaitFinished;
import static touchline.api.app.ServerAsset.events;
import static touchline.api.app.ServerAsset.hls;
import static touchline.api.app.ServerAsset.isFinished;
import static touchline.api.app.ServerAsset.mp4;
import static touchline.api.app.ServerAsset.ofStream;
import static touchline.api.app.ServerAsset.other;
import static touchline.api.app.ServerAsset.played;
import static touchline.api.app.ServerAsset.stored;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.TestPostgres;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;

/** Servers that are killed while they record, with a disk that is lost, or comes back too late. */
@Timeout(480)
final class RecordingsOfLostDisksIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int SECONDS = 60;
    private static final String CODEC = "libx264 -preset ultrafast -g 30";

    /** One with the first segment, and one with the end. */
    private static final int READY_EVENTS = 2;

    @TempDir private static Path data;
    private static NodePair nodes;

    @TempDir private Path folder;
    private StartedServer a;
    private StartedServer b;
    private Path flv;
    private String stream = "";

    @BeforeAll
    static void start() throws Exception {
        nodes = new NodePair(data, Map.of());
    }

    @AfterAll
    static void close() throws IOException {
        nodes.close();
    }

    @BeforeEach
    void encode() throws Exception {
        a = nodes.a;
        b = nodes.b;
        flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, SECONDS, CODEC + " -bf 2");
    }

    @Test
    void aStartWithAnEmptyDisk_finishesWhatTheServerHasRecorded() throws Exception {
        Map<String, String> environment = StartedServer.on(TestPostgres.newDatabase());
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port())) {
            environment.putAll(NodePair.s3(gate));
            try (StartedServer server =
                    StartedServer.inProcess(folder.resolve("alone"), environment).awaitReady()) {
                String id;
                Path files;
                try (Encoder _ = encoder(server)) {
                    id = NodePair.recording(server, store, stream);
                    files = folder.resolve("alone").resolve("assets").resolve(id);
                    int now = NodePair.segments(files);
                    TestServer.await(
                            "the next segment", SOON, () -> NodePair.segments(files) > now);
                    server.kill();
                }
                int least = NodePair.framesBefore(NodePair.index(files));
                server.loseDisk();

                server.restartInThisJvm();

                awaitFinished(server, id);
                assertTrue(plays(server, id, 0) >= least);
                TestServer.awaitCostly("the upload", SOON, () -> stored(server) == 1);
                assertEquals(List.of(), NodePair.tail(store, id));
                assertEquals(READY_EVENTS, events(server, "asset.ready", id));
            }
        }
    }

    @Test
    void aNodeThatIsGoneForGood_isNotNeededForItsRecording() throws Exception {
        nodes.serve(a);
        String id;
        try (Encoder _ = encoder(a)) {
            id = nodes.recording(stream);
            int now = nodes.segments(A, id);
            TestServer.await("the next segment", SOON, () -> nodes.segments(A, id) > now);
            a.kill();
        }
        int least = nodes.framesBefore(A, id);
        a.loseDisk();

        awaitFinished(b, id);
        int frames = plays(b, id, 0);
        assertTrue(frames >= least, frames + " of " + least);
        nodes.awaitUpload(B, id);
        assertEquals(List.of(), nodes.tail(id));
        assertEquals(READY_EVENTS, events(b, "asset.ready", id));

        a.restartInThisJvm();
        assertEquals(frames, plays(a, id, 0));
        assertEquals(1, ofStream(a, stream).size());
        assertEquals(READY_EVENTS, events(a, "asset.ready", id));
    }

    @Test
    void theNodeThatFinishesIsKilled_andTheDiskComesBackWithMore() throws Exception {
        nodes.serve(a, b);
        // The rest ends with a part of a segment: with B-frames, some may be missing before its
        // last frame.
        NumberedVideo.encode(flv, SECONDS, CODEC + " -bf 0");
        String id;
        int before;
        try (Encoder _ = encoder(a)) {
            id = nodes.recording(stream);
            nodes.gate.refuseAll(503, "SlowDown");
            before = nodes.segments(A, id);
            TestServer.await(
                    "segments that S3 lacks", SOON, () -> nodes.segments(A, id) > before + 2);
            a.kill();
        }
        int all = nodes.segments(A, id);
        nodes.gate.acceptAll();

        TestServer.await(
                "node b takes it",
                SOON,
                () -> b.output().contains("asset=" + id + " is finished here"));
        b.kill();
        b.restartInThisJvm();
        awaitFinished(b, id);
        nodes.awaitUpload(B, id);
        int frames = plays(b, id, 0);
        assertEquals(READY_EVENTS, events(b, "asset.ready", id));

        a.restartInThisJvm();
        TestServer.await("the rest", SOON, () -> isFinished(other(a, stream, id)));
        String rest = other(a, stream, id).path("asset_id").asText();
        int more = plays(a, rest, frames);
        assertTrue(more >= (all - before - 1) * NumberedVideo.PER_SECOND / 2, () -> "" + more);
        TestServer.await(
                "the folder is removed",
                SOON,
                () -> !Files.exists(nodes.files(A, id).resolve("rest")));
        nodes.awaitUpload(A, rest);
        assertEquals(more, plays(b, rest, frames));
        assertEquals(frames, plays(a, id, 0));
    }

    /** Pushes to a new stream at the speed of a camera. */
    private Encoder encoder(StartedServer server) throws IOException {
        JsonNode made =
                server.call(
                        "POST",
                        "/live/v1/live-streams",
                        "{\"record\": true, \"reconnect_window\": 0, \"latency_mode\": \"low\"}");
        stream = made.path("id").asText();
        return Encoder.file(flv, server.push(made.path("stream_key").asText()));
    }

    /** HLS and MP4 show the same frames, from one on, without a gap; how many. */
    private static int plays(StartedServer server, String asset, int from) throws Exception {
        List<Integer> shown = played(server, hls(server, asset));
        int count = shown.size();
        assertTrue(count > 0);
        List<Integer> expected = count(from, from + count);
        assertEquals(expected, shown);
        assertEquals(expected, played(server, mp4(server, asset)));
        return count;
    }
}
