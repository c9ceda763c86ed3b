package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ColouredPush.Rectangle;
import touchline.api.app.PublishedEdge.MediaRange;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;

/** The gate, as seen by a viewer that polls every 20 ms. */
class ModerationGateIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Rectangle NUDE = new Rectangle(64, 48, 240, 160);

    /** A part ends one frame after the start of its last one. */
    private static final double FRAME_MS = 1_000.0 / 30;

    /** Playlists give milliseconds, and so do the sampled frames. */
    private static final double ROUNDING_MS = 2;

    @TempDir private Path folder;

    /** Media of a viewer, with arrival times. */
    private record Seen(long atMs, double endMs) {}

    @Test
    void gate_viewerPollingFast_neverGetsMediaBehindTheLastPassedSample() throws Exception {
        try (TestServer server = ModeratedServer.start(folder);
                RestreamTarget target = new RestreamTarget()) {
            ModeratedStream stream =
                    ModeratedStream.create(
                            server,
                            """
                            "latency_mode": "low", "audit_settings":
                              {"frame_interval": 1, "models": {"nude": 0.5}, "gate": true}
                            """);
            server.call(
                    "POST",
                    "/live/v1/live-streams/" + stream.id + "/restreams",
                    "{\"url\": \"%s\", \"stream_key\": \"%s\"}"
                            .formatted(target.url(), RestreamTarget.KEY),
                    200);
            List<Seen> seen = new ArrayList<>();
            List<JsonNode> frames;
            String last;
            try (Encoder encoder =
                    new ColouredPush()
                            .with(ColouredPush.MAGENTA, NUDE, 6.5, 10.5)
                            .start(stream.push())) {
                URI multivariant = server.playback(stream.playbackId + ".m3u8");
                TestServer.await(
                        "a first playlist",
                        SOON,
                        () ->
                                server.get(multivariant).statusCode() == 200
                                        && server.get(server.mediaPlaylist(multivariant))
                                                        .statusCode()
                                                == 200);
                URI media = server.mediaPlaylist(multivariant);
                last = poll(server, media, stream, seen);
                double edgeMs = seen.getLast().endMs() - FRAME_MS - ROUNDING_MS;
                // A frame is stored a moment after it has opened the gate.
                frames =
                        stream.awaitFrames(
                                "the frame that opened the gate last",
                                SOON,
                                f -> f.getLast().get("captured_at").longValue() >= edgeMs);
                assertTrue(encoder.isRunning(), encoder::output);
            }
            NavigableMap<Long, Long> passed = new TreeMap<>();
            NavigableSet<Long> rejected = new TreeSet<>();
            for (JsonNode frame : frames) {
                long capturedAtMs = frame.get("captured_at").longValue();
                if (frame.get("detect_status").intValue() == 1) {
                    passed.put(capturedAtMs, frame.get("judged_at").longValue());
                } else {
                    rejected.add(capturedAtMs);
                }
            }
            assertTrue(rejected.size() >= 4 && rejected.size() <= 7, frames.toString());
            for (Seen each : seen) {
                checkEdge(each, passed);
            }
            checkHole(PublishedEdge.ranges(last), passed.navigableKeySet(), rejected);
            checkRestream(target, first(last), passed.floorKey(rejected.first()));
            long edges = seen.stream().mapToDouble(Seen::endMs).distinct().count();
            assertTrue(edges >= 5, "the viewer saw " + edges + " edges");
        }
    }

    /** Some frame at or after the last published frame had passed when the playlist came. */
    private static void checkEdge(Seen seen, NavigableMap<Long, Long> passed) {
        if (seen.endMs() == 0) {
            return;
        }
        double lastFrameMs = seen.endMs() - FRAME_MS - ROUNDING_MS;
        Map.Entry<Long, Long> sample = passed.ceilingEntry((long) Math.ceil(lastFrameMs));
        assertTrue(
                sample != null && sample.getValue() <= seen.atMs(),
                () -> seen + " was judged by " + sample + " of " + passed);
    }

    /** Until media behind the rejected range is published. */
    private static String poll(
            TestServer server, URI media, ModeratedStream stream, List<Seen> seen)
            throws Exception {
        String last = "";
        long startNs = System.nanoTime();
        double firstMs = Double.NaN;
        while (Double.isNaN(firstMs) || !reaches(last, firstMs + 14_000)) {
            long atMs = System.currentTimeMillis();
            HttpResponse<String> reply = server.get(media);
            if (reply.statusCode() == 200) {
                last = reply.body();
                double endMs = PublishedEdge.endMs(last);
                // What was answered was decided before the answer came.
                seen.add(new Seen(System.currentTimeMillis(), endMs));
                firstMs = Double.isNaN(firstMs) && endMs > 0 ? first(last) : firstMs;
            }
            if (System.nanoTime() - startNs > SOON.toNanos()) {
                throw new AssertionError(
                        "no media behind the rejected range: " + last + stream.frames());
            }
            Thread.sleep(Math.max(0, atMs + POLL.toMillis() - System.currentTimeMillis()));
        }
        return last;
    }

    private static double first(String playlist) {
        return PublishedEdge.ranges(playlist).getFirst().fromMs();
    }

    private static boolean reaches(String playlist, double ms) {
        return !playlist.isEmpty() && PublishedEdge.endMs(playlist) >= ms;
    }

    /** Nothing from behind the last passed sample before the reject to the next passed one. */
    private static void checkHole(
            List<MediaRange> published, NavigableSet<Long> passed, NavigableSet<Long> rejected) {
        double fromMs = passed.floor(rejected.first()) + FRAME_MS + ROUNDING_MS;
        double toMs = passed.ceiling(rejected.last()) - FRAME_MS - ROUNDING_MS;
        assertTrue(toMs - fromMs > 3_800, "a hole of " + (toMs - fromMs) + " ms");
        for (MediaRange range : published) {
            assertTrue(
                    range.toMs() <= fromMs || range.fromMs() >= toMs,
                    () -> range + " lies between " + fromMs + " and " + toMs);
        }
        assertTrue(published.getFirst().toMs() < fromMs, published.toString());
        assertTrue(published.getLast().toMs() > toMs, published.toString());
    }

    /** The target has the media up to the last passed sample, and then that behind the hole. */
    private static void checkRestream(RestreamTarget target, double firstMs, long lastPassedMs)
            throws InterruptedException {
        TestServer.await("video behind the hole", SOON, () -> hasVideoBehindTheHole(target));
        assertEquals(2, target.timelines(), "the hole is a discontinuity");
        List<AccessUnit> before = new ArrayList<>();
        for (FeedItem item : List.copyOf(target.items).stream().skip(1).toList()) {
            if (item instanceof Timeline) {
                break;
            }
            if (item instanceof AccessUnit unit && unit.track().isVideo()) {
                before.add(unit);
            }
        }
        double lengthMs = before.size() * FRAME_MS;
        double passedMs = lastPassedMs - firstMs + FRAME_MS;
        assertTrue(
                lengthMs <= passedMs + ROUNDING_MS && lengthMs > passedMs - 1_500,
                () -> "sent " + lengthMs + " ms, passed " + passedMs + " ms");
        assertTrue(target.units(true).size() > before.size(), "nothing behind the hole");
    }

    private static boolean hasVideoBehindTheHole(RestreamTarget target) {
        int timelines = 0;
        for (FeedItem item : target.items) {
            if (item instanceof Timeline) {
                timelines++;
            }
            if (timelines > 1 && item instanceof AccessUnit unit && unit.track().isVideo()) {
                return true;
            }
        }
        return false;
    }

    @Test
    void gate_switchedOffWhileLive_publishesAtOnce() throws Exception {
        try (TestServer server = ModeratedServer.start(folder)) {
            ModeratedStream stream =
                    ModeratedStream.create(
                            server,
                            """
                            "latency_mode": "low", "audit_settings":
                              {"frame_interval": 3600, "models": {"nude": 0.5}, "gate": true}
                            """);
            try (Encoder encoder = new ColouredPush().start(stream.push())) {
                stream.awaitFrames("the first sample", SOON, frames -> !frames.isEmpty());
                URI multivariant = server.playback(stream.playbackId + ".m3u8");
                assertEquals(0, segments(server, multivariant));

                stream.put("{\"frame_interval\": 1, \"models\": {\"nude\": 0.5}}");
                TestServer.await("segments", SOON, () -> segments(server, multivariant) > 0);
                assertTrue(encoder.isRunning(), encoder::output);
            }
        }
    }

    private static long segments(TestServer server, URI multivariant) {
        HttpResponse<String> reply = server.get(multivariant);
        if (reply.statusCode() != 200) {
            return 0;
        }
        return server.get(server.mediaPlaylist(multivariant))
                .body()
                .lines()
                .filter(line -> line.startsWith("#EXTINF"))
                .count();
    }

    @Test
    void gate_withoutAModel_isRefused() throws Exception {
        try (TestServer server = TestServer.start(folder, Map.of())) {
            JsonNode stream = server.createStream("{}");
            JsonNode refused =
                    server.call(
                            "PUT",
                            "/live/v1/live-streams/"
                                    + stream.get("id").textValue()
                                    + "/audit-settings",
                            "{\"frame_interval\": 1, \"models\": {\"nude\": 0.5}, \"gate\": true}",
                            409);
            assertEquals(40901, refused.get("code").intValue());
        }
    }
}
