package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two ffmpeg processes push one match with numbered frames, the second one 1.5 s later and with
 * other key frames. The first one is killed.
 */
final class BackupPushIT {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final String STREAMS = "/live/v1/live-streams/";

    /** Notes whose order does not come again within the match. */
    private static final String MATCH =
            "aevalsrc='0.4*sin(2*PI*(300+900*abs(sin(1.313*pow(floor(t*7),2))))*t)"
                    + "*gt(sin(0.7321*pow(floor(t*7),2)),0)':s=48000";

    private static final Pattern TIME = Pattern.compile("time=00:(\\d\\d):([0-9.]+)");

    @TempDir private Path folder;

    @Test
    void primaryKilled_everyFrameIsInTheRecordingOnce() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream =
                    server.createStream(
                            "{\"backup\": true, \"record\": true, \"failback_after\": 0}");
            String id = stream.get("id").asText();
            Path one = folder.resolve("one.flv");
            Path two = folder.resolve("two.flv");
            NumberedVideo.encode(one, 40, "libx264 -preset ultrafast -bf 2 -g 60", MATCH);
            NumberedVideo.encode(two, 40, "libx264 -preset ultrafast -bf 0 -g 45", MATCH);
            try (Encoder primary = push(server, one, stream.get("stream_key").asText())) {
                TestServer.await("active", SOON, () -> server.status(id).equals("active"));
                TestServer.await("ahead", SOON, () -> sentSeconds(primary) >= 1.5);
                String key = stream.get("backup_stream_key").asText();
                try (Encoder backup = push(server, two, key)) {
                    lose(server, id, primary, backup);
                }
            }
            List<JsonNode> changes = changes(server, id);
            assertEquals(1, changes.size(), changes.toString());
            JsonNode change = changes.getFirst();
            assertEquals("encoder_lost", change.get("reason").asText());
            assertTrue(change.get("aligned").asBoolean(), change.toString());
            assertTrue(Math.abs(change.get("gap_ms").asLong()) <= 34, change.toString());
            URI recording = recording(server, id);
            List<Integer> numbers = NumberedVideo.numbers(recording.toString());
            assertTrue(numbers.size() > 300, numbers.size() + " frames");
            List<String> breaks = new ArrayList<>();
            for (int i = 1; i < numbers.size(); i++) {
                if (numbers.get(i) != numbers.get(i - 1) + 1) {
                    breaks.add(numbers.get(i - 1) + " " + numbers.get(i));
                }
            }
            assertEquals(List.of(), breaks);
        }
    }

    /** Kills the primary when both are compared; returns after four more seconds of the backup. */
    private static void lose(TestServer server, String id, Encoder primary, Encoder backup)
            throws Exception {
        TestServer.await("aligned", SOON, () -> isAligned(server, id));
        JsonNode session = session(server, id);
        assertEquals("primary", session.get("source").asText());
        assertTrue(session.at("/backup/offset_ms").asLong() > 1_000, session.toString());

        primary.kill();
        TestServer.await("backup", SOON, () -> shows(server, id, "backup"));
        assertTrue(backup.isRunning(), backup::output);
        double then = sentSeconds(backup);
        TestServer.await("more", SOON, () -> sentSeconds(backup) > then + 4);
        server.call("PUT", STREAMS + id + "/complete", "", 200);
    }

    /** By the progress that ffmpeg reports. */
    private static double sentSeconds(Encoder encoder) {
        double seconds = 0;
        for (Matcher time = TIME.matcher(encoder.output()); time.find(); ) {
            seconds = Integer.parseInt(time.group(1)) * 60 + Double.parseDouble(time.group(2));
        }
        return seconds;
    }

    private static Encoder push(TestServer server, Path media, String key) throws Exception {
        return Encoder.run(
                ("ffmpeg -v info -re -i " + media + " -c copy -f flv " + server.push(key))
                        .split(" "));
    }

    private static JsonNode session(TestServer server, String id) {
        try {
            return server.call("GET", STREAMS + id + "/sessions", "", 200).at("/data/0");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isAligned(TestServer server, String id) {
        return session(server, id).at("/backup/confidence").asDouble() >= 0.5;
    }

    private static boolean shows(TestServer server, String id, String source) {
        return session(server, id).get("source").asText().equals(source);
    }

    private static List<JsonNode> changes(TestServer server, String id) throws Exception {
        JsonNode events =
                server.call(
                        "GET",
                        "/system/v1/events?type=live_stream.source_changed&live_stream_id=" + id,
                        "",
                        200);
        List<JsonNode> found = new ArrayList<>();
        events.get("data").forEach(event -> found.add(event.get("data")));
        return found;
    }

    private static URI recording(TestServer server, String id) throws Exception {
        TestServer.await(
                "the recording",
                SOON,
                () -> {
                    try {
                        return !server.stream(id).get("recent_asset_ids").isEmpty();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        String asset = server.stream(id).get("recent_asset_ids").get(0).asText();
        JsonNode found =
                server.call("GET", "/video-streams/v1/assets/" + asset, "", 200).get("data");
        return server.playback(found.at("/playback_ids/0/id").asText() + ".m3u8");
    }
}
