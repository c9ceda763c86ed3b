package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ColouredPush.Rectangle;
import touchline.api.app.ModeratedStream.Found;
import touchline.api.http.EventSchemaCheck;

/** Moderation from the encoder's frame to record, event and evidence, with the demo models. */
class ModerationIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final double BOX_TOLERANCE = 0.02;

    private static final Rectangle NUDE = new Rectangle(64, 48, 240, 160);
    private static final Rectangle WEAPON = new Rectangle(400, 200, 160, 120);

    @TempDir private Path folder;

    private static String settings(int interval, String models, String more) {
        return "{\"frame_interval\": %d, \"models\": {%s}%s}".formatted(interval, models, more);
    }

    private static double secondOf(JsonNode frame, List<JsonNode> frames) {
        return (frame.get("captured_at").longValue()
                        - frames.getFirst().get("captured_at").longValue())
                / 1_000.0;
    }

    private static boolean covers(List<JsonNode> frames, double second) {
        return !frames.isEmpty() && secondOf(frames.getLast(), frames) >= second;
    }

    @Test
    void pattern_betweenKnownSeconds_isFoundInExactlyTheSampledFramesOfThem() throws Exception {
        try (TestServer server = ModeratedServer.start(folder);
                EventReceiver receiver = new EventReceiver()) {
            receiver.register(server, "audit_check");
            ModeratedStream stream =
                    ModeratedStream.create(
                            server,
                            "\"title\": \"Cup final\", \"audit_settings\": "
                                    + settings(1, "\"nude\": 0.5, \"weapon\": 0.5", ""));
            ColouredPush videoFrame =
                    new ColouredPush()
                            .with(ColouredPush.MAGENTA, NUDE, 2.5, 5.5)
                            .with(ColouredPush.CYAN, WEAPON, 4.5, 7.5);
            List<JsonNode> frames;
            try (Encoder encoder = videoFrame.start(stream.push())) {
                frames = stream.awaitFrames("ten seconds", SOON, f -> covers(f, 10));
                assertTrue(encoder.isRunning(), encoder::output);
            }

            Set<Long> inside =
                    frames.stream()
                            .filter(f -> shown(secondOf(f, frames), 2.5, 7.5))
                            .map(f -> f.get("captured_at").longValue())
                            .collect(Collectors.toSet());
            List<Found> records = stream.records();
            // Distances are 0.7 to 0.92 s, and up to two frames.
            assertTrue(inside.size() >= 5 && inside.size() <= 8, frames.toString());
            assertEquals(
                    inside, records.stream().map(Found::capturedAtMs).collect(Collectors.toSet()));
            for (Found found : records) {
                double second = secondOf(found.record(), frames);
                assertEquals(2, found.findings().size(), found.toString());
                check(found, "nude", NUDE, shown(second, 2.5, 5.5));
                check(found, "weapon", WEAPON, shown(second, 4.5, 7.5));
                assertEquals(3, found.status(), found.toString());
                checkFrame(stream, found);
            }
            checkEvents(stream, receiver, records);
        }
    }

    /** The first and the last frame of the time are painted too. */
    private static boolean shown(double second, double from, double to) {
        return second > from - 0.001 && second < to + 0.001;
    }

    private static void check(Found found, String type, Rectangle place, boolean there) {
        JsonNode alert = found.alert(type);
        assertEquals(there, alert.isObject(), type + ": " + found);
        if (there) {
            List<Double> expected =
                    List.of(
                            place.x() / (double) ColouredPush.WIDTH,
                            place.y() / (double) ColouredPush.HEIGHT,
                            place.width() / (double) ColouredPush.WIDTH,
                            place.height() / (double) ColouredPush.HEIGHT);
            for (int i = 0; i < 4; i++) {
                assertEquals(
                        expected.get(i),
                        alert.get("bounding_box").get(i).doubleValue(),
                        BOX_TOLERANCE,
                        alert.toString());
            }
            assertTrue(alert.get("confidence").doubleValue() > 0.9, alert.toString());
            assertEquals("demo-" + type, alert.get("model_version").textValue());
        }
    }

    /** The frame shows what the record says. */
    private static void checkFrame(ModeratedStream stream, Found found) throws Exception {
        BufferedImage image = stream.frame(found.record().get("url").textValue());
        assertEquals(ColouredPush.WIDTH, image.getWidth());
        assertEquals(ColouredPush.HEIGHT, image.getHeight());
        Color magenta = middle(image, NUDE);
        Color cyan = middle(image, WEAPON);
        assertEquals(
                found.alert("nude").isObject(),
                magenta.getRed() > 180 && magenta.getGreen() < 80 && magenta.getBlue() > 180,
                magenta.toString());
        assertEquals(
                found.alert("weapon").isObject(),
                cyan.getRed() < 80 && cyan.getGreen() > 180 && cyan.getBlue() > 180,
                cyan.toString());
    }

    private static Color middle(BufferedImage image, Rectangle place) {
        return new Color(
                image.getRGB(place.x() + place.width() / 2, place.y() + place.height() / 2));
    }

    private static void checkEvents(
            ModeratedStream stream, EventReceiver receiver, List<Found> records) throws Exception {
        TestServer.await(
                "an event for each record",
                SOON,
                () -> receiver.events("audit_check").size() >= records.size());
        List<JsonNode> events = receiver.events("audit_check");
        EventSchemaCheck schemas = EventSchemaCheck.SHARED;
        assertEquals(records.size(), events.size());
        for (int i = 0; i < records.size(); i++) {
            Found found = records.get(i);
            JsonNode event = events.get(i);
            schemas.check(event.toString());
            assertEquals(found.record().get("event_id").textValue(), event.get("id").textValue());
            JsonNode data = event.get("data");
            assertEquals(stream.id, data.at("/stream_info/stream_id").textValue());
            assertEquals(stream.sessionId(), data.at("/stream_info/stream_session_id").textValue());
            assertEquals("Cup final", data.at("/stream_info/title").textValue());
            assertEquals(
                    stream.session().get("started_at").longValue(),
                    data.at("/stream_info/start_time").longValue());
            URI sent = URI.create(data.get("frame_url").textValue());
            assertEquals(
                    URI.create(found.record().get("url").textValue()).getPath(), sent.getPath());
            assertEquals(ColouredPush.WIDTH, stream.frame(sent.toString()).getWidth());
            List<String> alerts = new ArrayList<>();
            for (JsonNode alert : data.get("alerts")) {
                JsonNode finding = found.alert(alert.get("type").textValue());
                for (String field : List.of("model", "confidence", "bounding_box", "risk_level")) {
                    assertEquals(finding.get(field), alert.at("/detection_info/" + field));
                }
                alerts.add(alert.get("type").textValue());
            }
            assertEquals(found.alert("nude").isObject(), alerts.contains("nude"), event.toString());
            assertEquals(
                    found.alert("weapon").isObject(), alerts.contains("weapon"), event.toString());
        }
    }

    @Test
    void settings_changedWhileLive_followAtTheNextSample() throws Exception {
        try (TestServer server = ModeratedServer.start(folder)) {
            ModeratedStream stream = ModeratedStream.create(server, "");
            ColouredPush videoFrame = new ColouredPush().with(ColouredPush.MAGENTA, NUDE, 0, 600);
            try (Encoder encoder = videoFrame.start(stream.push())) {
                TestServer.await("live", SOON, () -> server.status(stream.id).equals("active"));
                assertEquals("off", stream.session().get("moderation").textValue());

                stream.put(settings(1, "\"weapon\": 0.3", ""));
                stream.awaitFrames("frames without an alert", SOON, f -> f.size() >= 2);
                assertEquals(List.of(), stream.records());
                assertEquals("on", stream.session().get("moderation").textValue());

                stream.put(settings(1, "\"nude\": 0.3, \"weapon\": 0.9", ""));
                TestServer.await("a record", SOON, () -> !recordsOf(stream).isEmpty());
                assertFalse(stream.records().getLast().alert("weapon").isObject());
                double confidence =
                        stream.records().getLast().alert("nude").get("confidence").doubleValue();

                // Above what the model says of the same frame: nothing is found any more.
                stream.put(settings(2, "\"nude\": " + Math.min(1, confidence + 0.005), ""));
                int before = stream.records().size();
                int sampled = stream.frames().size();
                List<JsonNode> frames =
                        stream.awaitFrames("frames at 2 s", SOON, f -> f.size() >= sampled + 3);
                // Those of frames that were under way.
                assertTrue(stream.records().size() <= before + 2);
                // One of three may be a key frame in addition.
                assertEquals(
                        2.65,
                        secondOf(frames.getLast(), frames)
                                - secondOf(frames.get(frames.size() - 3), frames),
                        1.35);

                endsFor(server, stream, "off", () -> stream.delete());
                stream.put(settings(1, "\"nude\": 0.5", ""));
                int stored = stream.records().size();
                TestServer.await("more", SOON, () -> recordsOf(stream).size() > stored);
                endsFor(
                        server,
                        stream,
                        "stopped",
                        () ->
                                server.call(
                                        "POST",
                                        "/audit/v1/tasks/stop-audit-task",
                                        "{\"stream_session_id\": \"" + stream.sessionId() + "\"}",
                                        200));
                assertTrue(encoder.isRunning(), encoder::output);
            }
            assertEquals(
                    2,
                    stream.records().stream()
                            .map(found -> found.record().get("task_id").longValue())
                            .distinct()
                            .count());
        }
    }

    private interface Call {
        void run() throws Exception;
    }

    /** Nothing more is sampled from the end of this call on, while frames go on. */
    private static void endsFor(TestServer server, ModeratedStream stream, String state, Call call)
            throws Exception {
        call.run();
        assertEquals(state, stream.session().get("moderation").textValue());
        int frames = stream.frames().size();
        long start = nextSegment(server, stream);
        TestServer.await("more segments", SOON, () -> nextSegment(server, stream) > start + 3);
        assertTrue(stream.frames().size() <= frames + 1, stream.frames().toString());
    }

    /** Number of the next segment of the live playlist: it rises while the stream is live. */
    private static long nextSegment(TestServer server, ModeratedStream stream) {
        URI media = server.mediaPlaylist(server.playback(stream.playbackId + ".m3u8"));
        return PublishedEdge.nextSegment(server.get(media).body());
    }

    private static List<Found> recordsOf(ModeratedStream stream) {
        try {
            return stream.records();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void onReject_disable_endsTheStreamAtTheFirstRejectedFrame() throws Exception {
        try (TestServer server = ModeratedServer.start(folder)) {
            ModeratedStream stream =
                    ModeratedStream.create(
                            server,
                            "\"audit_settings\": "
                                    + settings(1, "\"nude\": 0.5", ", \"on_reject\": \"disable\""));
            ColouredPush videoFrame = new ColouredPush().with(ColouredPush.MAGENTA, NUDE, 3.5, 600);
            try (Encoder encoder = videoFrame.start(stream.push())) {
                TestServer.await("live", SOON, () -> server.status(stream.id).equals("active"));
                TestServer.await(
                        "disabled", SOON, () -> server.status(stream.id).equals("disable"));
                TestServer.await("the encoder is cut", SOON, () -> !encoder.isRunning());
            }
            TestServer.await("the record", SOON, () -> !recordsOf(stream).isEmpty());
            // A frame that was under way has a record too.
            for (Found found : stream.records()) {
                assertEquals(3, found.status());
            }
            assertEquals(
                    404, server.get(server.playback(stream.playbackId + ".m3u8")).statusCode());
        }
    }

    @Test
    void server_killedInMidSession_closesTheRun() throws Exception {
        try (TestServer server = ModeratedServer.start(folder)) {
            ModeratedStream stream =
                    ModeratedStream.create(
                            server, "\"audit_settings\": " + settings(1, "\"nude\": 0.5", ""));
            Process process = server.startElsewhere();
            try (Encoder encoder =
                    new ColouredPush()
                            .with(ColouredPush.MAGENTA, NUDE, 0, 600)
                            .start(stream.push())) {
                TestServer.await("records", SOON, () -> recordsOf(stream).size() >= 2);
                // Asking for the frames stores their scores.
                stream.awaitFrames("their scores", SOON, f -> f.size() >= 2);
                assertTrue(encoder.isRunning(), encoder::output);
            } finally {
                process.destroyForcibly().waitFor();
            }
            server.resume();

            JsonNode session = stream.session();
            assertEquals("interrupted", session.get("end_reason").textValue());
            assertEquals("on", session.get("moderation").textValue());
            List<Found> records = stream.records();
            assertTrue(records.size() >= 2, records.toString());
            for (Found found : records) {
                assertEquals(
                        ColouredPush.WIDTH,
                        stream.frame(found.record().get("url").textValue()).getWidth());
            }
            long samples = stream.frames().size();
            JsonNode counted =
                    stream.call(
                                    "/audit/v1/records/simulate?models.nude=0.5&stream_session_id="
                                            + stream.sessionId())
                            .get("data");
            assertEquals(samples, counted.get("frames").longValue());
            assertEquals(samples, counted.get("reject").longValue(), counted.toString());
            // Scores of the last second may be lost, records never; one may have been under way.
            assertTrue(samples >= 2 && samples <= records.size() + 1, counted.toString());
        }
    }
}
