package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programme goes on while the encoder is away, and while an operator keeps it out. */
class StandbyIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams/";

    @TempDir private Path folder;

    @Test
    void encoderGone_lastFrameThenSlateThenEncoder_oneRecordingWithoutAComplaint()
            throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, 8, "libx264 -preset ultrafast -bf 2 -g 30");
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            JsonNode stream =
                    server.createStream(
                            """
                            {"record": true, "latency_mode": "low", "title": "Cup final",
                             "standby": {"mode": "freeze", "after": 3}}
                            """);
            String id = stream.path("id").asText();
            String push = server.push(stream.path("stream_key").asText());

            push(flv, push, 2);
            awaitStandby(server, id, "encoder_lost");
            assertEquals("active", server.status(id));
            awaitTimelines(server, 2);
            awaitSegments(server, 3);
            server.call("PATCH", STREAMS + id, "{\"standby\": {\"mode\": \"slate\"}}", 200);
            awaitTimelines(server, 3);

            try (Encoder encoder =
                    Encoder.run(
                            ("ffmpeg -v info -re -stream_loop -1 -i "
                                            + flv
                                            + " -c copy -f flv "
                                            + push)
                                    .split(" "))) {
                awaitStandby(server, id, "");
                server.call("PUT", STREAMS + id + "/standby/on", "", 200);
                awaitStandby(server, id, "operator");
                server.call("PUT", STREAMS + id + "/standby/off", "", 200);
                awaitStandby(server, id, "");
                assertTrue(encoder.isRunning(), encoder::output);
                server.call("PUT", STREAMS + id + "/complete", "", 200);
            }
            TestServer.await("the end", SOON, () -> !asset(server).path("is_live").asBoolean());

            URI mp4 =
                    server.playback(
                            asset(server).at("/playback_ids/0/id").asText() + "/capped-1080p.mp4");
            List<Integer> numbers = NumberedVideo.numbers(mp4.toString());
            List<Integer> first = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                first.add(i);
            }
            assertEquals(first, numbers.subList(0, 60));
            int frozen = 60;
            while (numbers.get(frozen) == 59) {
                frozen++;
            }
            assertTrue(frozen >= 60 + 30, "frozen frames: " + (frozen - 60));
            assertEquals(
                    List.of(
                            "live_stream.standby_started encoder_lost",
                            "live_stream.standby_ended encoder_lost",
                            "live_stream.standby_started operator",
                            "live_stream.standby_ended operator"),
                    events(server));
        }
    }

    private static void push(Path flv, String address, int seconds) throws Exception {
        try (Encoder encoder =
                Encoder.run(
                        ("ffmpeg -v info -re -i "
                                        + flv
                                        + " -frames:v "
                                        + seconds * NumberedVideo.PER_SECOND
                                        + " -c copy -f flv "
                                        + address)
                                .split(" "))) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
    }

    /** Waits for a reason of the standby; empty for none. */
    private static void awaitStandby(TestServer server, String id, String reason) throws Exception {
        TestServer.await(
                "standby: " + reason,
                SOON,
                () ->
                        data(server, STREAMS + id)
                                .at("/active_standby/reason")
                                .asText()
                                .equals(reason));
    }

    private static void awaitTimelines(TestServer server, int count) throws Exception {
        TestServer.await(
                count + " timelines",
                SOON,
                () ->
                        playlist(server)
                                        .lines()
                                        .filter(l -> l.equals("#EXT-X-DISCONTINUITY"))
                                        .count()
                                >= count - 1);
    }

    private static void awaitSegments(TestServer server, int count) throws Exception {
        TestServer.await(
                count + " segments",
                SOON,
                () ->
                        playlist(server).lines().filter(l -> l.startsWith("#EXTINF")).count()
                                >= count);
    }

    private static String playlist(TestServer server) {
        JsonNode stream = data(server, "/live/v1/live-streams").path(0);
        URI multivariant = server.playback(stream.at("/playback_ids/0/id").asText() + ".m3u8");
        return server.get(server.mediaPlaylist(multivariant)).body();
    }

    private static JsonNode asset(TestServer server) {
        return data(server, "/video-streams/v1/assets").path(0);
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> events(TestServer server) {
        List<String> shown = new ArrayList<>();
        for (JsonNode event : data(server, "/system/v1/events?limit=100")) {
            String type = event.path("type").asText();
            if (type.startsWith("live_stream.standby")) {
                shown.addFirst(type + " " + event.at("/data/reason").asText());
            }
        }
        return shown;
    }
}
