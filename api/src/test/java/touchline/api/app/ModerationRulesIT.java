package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ColouredPush.Rectangle;
import touchline.api.app.ModeratedStream.Found;

/** Intervals and thresholds side by side, and the session that follows a restart. */
@Timeout(480)
final class ModerationRulesIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** A hundredth of the frame: both models are about 0.6 sure. */
    private static final Rectangle SMALL_NUDE = new Rectangle(64, 64, 64, 36);

    private static final Rectangle SMALL_WEAPON = new Rectangle(320, 192, 64, 36);

    /** Two frames at 30 a second, and the milliseconds of RTMP. */
    private static final double DISTANCE_TOLERANCE_SECONDS = 0.1;

    @TempDir private Path folder;

    private static ModeratedStream moderated(TestServer server, int interval) throws Exception {
        return ModeratedStream.create(
                server,
                """
                "reconnect_window": 600, "audit_settings":
                  {"frame_interval": %d, "models": {"nude": 0.3, "weapon": 0.9}}
                """
                        .formatted(interval));
    }

    @Test
    void twoThresholds_onTheSameScores_atEveryInterval() throws Exception {
        List<Integer> intervals = List.of(1, 2, 5);
        List<ModeratedStream> streams = new ArrayList<>();
        List<Encoder> encoders = new ArrayList<>();
        try (TestServer server = ModeratedServer.start(folder)) {
            try {
                ColouredPush frame =
                        new ColouredPush()
                                .with(ColouredPush.MAGENTA, SMALL_NUDE, 0, 600)
                                .with(ColouredPush.CYAN, SMALL_WEAPON, 0, 600);
                for (int interval : intervals) {
                    ModeratedStream stream = moderated(server, interval);
                    streams.add(stream);
                    encoders.add(frame.start(stream.push()));
                }
                for (int i = 0; i < intervals.size(); i++) {
                    int interval = intervals.get(i);
                    List<JsonNode> frames =
                            streams.get(i)
                                    .awaitFrames(
                                            "eleven seconds",
                                            SOON,
                                            f -> f.size() > Math.max(3, 11 / interval));
                    checkDistances(frames, interval);
                    checkFindings(server, streams.get(i));
                }
                for (Encoder encoder : encoders) {
                    assertTrue(encoder.isRunning(), encoder::output);
                }
            } finally {
                for (Encoder encoder : encoders) {
                    encoder.close();
                }
            }
        }
    }

    private static void checkDistances(List<JsonNode> frames, int interval) {
        double most = 0.92 * interval + DISTANCE_TOLERANCE_SECONDS;
        for (int i = 1; i < frames.size(); i++) {
            assertTrue(seconds(frames, i - 1, i) <= most, frames.toString());
            // One of three may be a key frame in addition.
            assertTrue(i < 3 || seconds(frames, i - 2, i) >= 0.7 * interval, frames.toString());
        }
    }

    private static double seconds(List<JsonNode> frames, int from, int to) {
        return (frames.get(to).get("captured_at").longValue()
                        - frames.get(from).get("captured_at").longValue())
                / 1_000.0;
    }

    /** Each frame has a record, for what is above 0.3 and not for what is below 0.9. */
    private static void checkFindings(TestServer server, ModeratedStream stream) throws Exception {
        List<Found> records = stream.records();
        assertTrue(records.size() >= 3, records.toString());
        for (Found found : records) {
            assertEquals(2, found.status(), found.toString());
            assertEquals(2, found.findings().size(), found.toString());
            for (JsonNode finding : found.findings()) {
                boolean nude = finding.get("model").textValue().equals("nude");
                double confidence = finding.get("confidence").doubleValue();
                assertEquals(0.55, confidence, 0.1, finding.toString());
                assertEquals(nude ? "review" : "pass", finding.get("risk_level").textValue());
            }
        }
        // The same scores by other thresholds.
        String simulate =
                "/audit/v1/records/simulate?stream_session_id=" + stream.sessionId() + "&models.";
        JsonNode strict = server.call("GET", simulate + "weapon=0.3", "", 200).get("data");
        JsonNode lenient = server.call("GET", simulate + "nude=0.9", "", 200).get("data");
        assertEquals(strict.get("frames"), strict.get("review"), strict.toString());
        assertEquals(lenient.get("frames"), lenient.get("pass"), lenient.toString());
    }

    @Test
    void server_restartedInMidSession_moderatesItAnew() throws Exception {
        try (TestServer server = ModeratedServer.start(folder)) {
            ModeratedStream stream = moderated(server, 1);
            ColouredPush frame = new ColouredPush().with(ColouredPush.MAGENTA, SMALL_NUDE, 0, 600);
            String first;
            int before;
            try (Encoder _ = frame.start(stream.push())) {
                stream.awaitFrames("frames", SOON, f -> f.size() >= 3);
                first = stream.sessionId();
                server.restart();
            }
            assertEquals(first, stream.sessionId());
            before = stream.records().size();
            int framesBefore = stream.frames().size();
            assertTrue(before >= 2, stream.frames().toString());
            ModeratedServer.awaitModels(server);
            try (Encoder encoder = frame.start(stream.push())) {
                stream.awaitFrames("frames again", SOON, f -> f.size() >= framesBefore + 3);
                assertEquals(first, stream.sessionId());
                assertTrue(encoder.isRunning(), encoder::output);
            }
            JsonNode all =
                    stream.call("/audit/v1/records/moderation-records?limit=100").get("data");
            List<Long> tasks = new ArrayList<>();
            all.forEach(record -> tasks.add(record.get("task_id").longValue()));
            assertEquals(2, tasks.stream().distinct().count(), all.toString());
            assertTrue(all.size() >= before + 2, all.toString());
        }
    }
}
