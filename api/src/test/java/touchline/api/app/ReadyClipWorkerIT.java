package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process that waits for the first clip, while a session is being recorded. */
class ReadyClipWorkerIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final String MEDIA =
            "ffmpeg -v error -re -f lavfi -i testsrc2=size=320x180:rate=25 -t %d -c:v libx264"
                    + " -preset ultrafast -g 50 -pix_fmt yuv420p -f flv %s";

    @TempDir private Path folder;

    private static Encoder push(TestServer server, JsonNode stream, int seconds) throws Exception {
        String address = server.push(stream.path("stream_key").asText());
        return Encoder.run(MEDIA.formatted(seconds, address).split(" "));
    }

    private static List<ProcessHandle> processes() {
        return ChildJvms.withHeap(ChildJvms.JOBS_MIB);
    }

    private static void awaitReady(TestServer server) throws InterruptedException {
        TestServer.await(
                "a process waits for a clip",
                SOON,
                () -> server.metrics().value("touchline_clips_processes_idle") == 1);
    }

    @Test
    void whileASessionIsRecorded_aProcessWaits_andTheFirstClipUsesIt() throws Exception {
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            JsonNode stream = server.createStream("{\"record\": true, \"reconnect_window\": 0}");
            assertEquals(0, server.metrics().value("touchline_clips_processes"));
            try (Encoder _ = push(server, stream, 600)) {
                awaitReady(server);
                long first = processes().getFirst().pid();
                String clip = clip(server);
                assertEquals(List.of(first), processes().stream().map(ProcessHandle::pid).toList());
                assertEquals(
                        1, server.metrics().value("touchline_clips_processes_started_total"), clip);

                assertTrue(processes().getFirst().destroyForcibly());

                TestServer.await(
                        "the crash is counted",
                        SOON,
                        () ->
                                server.metrics().value("touchline_clips_processes_crashed_total")
                                        == 1);
                awaitReady(server);
                assertNotEquals(first, processes().getFirst().pid());
                String second = clip(server);
                assertEquals(
                        2,
                        server.metrics().value("touchline_clips_processes_started_total"),
                        second);
            }
        }
        TestServer.await("its processes have ended", SOON, () -> processes().isEmpty());
    }

    /** The session is longer than a recorded one needs for its process. */
    @Test
    void whileNothingIsRecorded_noProcessStarts() throws Exception {
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            JsonNode stream = server.createStream("{\"record\": false, \"reconnect_window\": 0}");
            try (Encoder encoder = push(server, stream, 8)) {
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
            TestServer.await(
                    "the session's end",
                    SOON,
                    () -> !server.status(stream.path("id").asText()).equals("active"));

            assertEquals(0, server.metrics().value("touchline_clips_processes_started_total"));
            assertEquals(List.of(), processes());
        }
    }

    /** From a growing recording, with both ends between key frames; its id. */
    private static String clip(TestServer server) throws Exception {
        TestServer.await(
                "so much is recorded",
                SOON,
                () -> data(server, ASSETS + "?kind=recording").at("/0/duration").asDouble() > 4);
        String source = data(server, ASSETS + "?kind=recording").at("/0/asset_id").asText();
        String clip =
                server.call(
                                "POST",
                                "/video-streams/v1/video/clip",
                                "{\"asset_id\": \"%s\", \"start_time\": 0.5, \"end_time\": 2.9}"
                                        .formatted(source),
                                200)
                        .at("/data/asset_id")
                        .asText();
        TestServer.await(
                "the clip",
                SOON,
                () -> {
                    String status = data(server, ASSETS + "/" + clip).path("status").asText();
                    assertFalse(status.equals("errored"), clip);
                    return status.equals("ready");
                });
        return clip;
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }
}
