package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.app.NodePair.A;
import static touchline.api.app.NodePair.B;
import static touchline.api.app.NumberedVideo.and;
import static touchline.api.app.NumberedVideo.count;
import static touchline.api.app.ServerAsset.assertPlays;
import static touchline.api.app.ServerAsset.awaitFinished;
import static touchline.api.app.ServerAsset.clip;
import static touchline.api.app.ServerAsset.events;
import static touchline.api.app.ServerAsset.hls;
import static touchline.api.app.ServerAsset.isFinished;
import static touchline.api.app.ServerAsset.ofStream;
import static touchline.api.app.ServerAsset.other;
import static touchline.api.app.ServerAsset.played;

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
import touchline.packager.record.Recording;

/** Sessions that go on at another node, with the same asset where S3 has it. */
@Timeout(480)
final class RecordingTakeoverIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams";

    /** Of the first encoder, which is always cut off, and of the one at the next node. */
    private static final int LONG_S = 60;

    private static final int SHORT_S = 8;
    private static final int SHORT = SHORT_S * NumberedVideo.PER_SECOND;

    private static final String CODEC = "libx264 -preset ultrafast -bf 2 -g 30";

    /** Wherever it is cut off, no frame before is missing. */
    private static final String WITHOUT_B_FRAMES = "libx264 -preset ultrafast -bf 0 -g 30";

    /** Longer than by default: on a busy host, a node needs long for what is in S3. */
    private static final Map<String, String> PATIENT =
            Map.of("TOUCHLINE_STORAGE_S3_CONTINUE_WITHIN", "60s");

    @TempDir private static Path data;
    private static NodePair nodes;

    @TempDir private Path folder;
    private StartedServer a;
    private StartedServer b;
    private Path first;
    private Path second;
    private String stream = "";
    private String key = "";

    @BeforeAll
    static void start() throws Exception {
        nodes = new NodePair(data, PATIENT);
    }

    @AfterAll
    static void close() throws IOException {
        nodes.close();
    }

    @BeforeEach
    void prepare() throws Exception {
        a = nodes.a;
        b = nodes.b;
        first = folder.resolve("first.flv");
        second = folder.resolve("second.flv");
        encode(CODEC, CODEC);
    }

    private void encode(String codecOfFirst, String codecOfSecond) throws Exception {
        NumberedVideo.encode(first, LONG_S, codecOfFirst);
        NumberedVideo.encode(second, SHORT_S, codecOfSecond);
    }

    @Test
    void ownerAndDiskAreLost_theSameAssetGoesOn() throws Exception {
        nodes.serve(a);
        String id;
        Recording before;
        int least;
        String playbackId = create(a);
        try (Encoder _ = push(a, first)) {
            id = nodes.recording(stream);
            int now = nodes.segments(A, id);
            TestServer.await("the next segment", SOON, () -> nodes.segments(A, id) > now);
            a.kill();
        }
        before = nodes.index(A, id);
        least = NodePair.framesBefore(before);
        a.loseDisk();

        int stored;
        try (Encoder encoder = pushed(b, second)) {
            TestServer.await(
                    "media behind the takeover",
                    SOON,
                    () ->
                            Files.exists(nodes.files(B, id).resolve("continued"))
                                    && nodes.timelines(B, id) == 2);
            stored = nodes.storedBefore(B, id);
            assertGrowingAssetHasBoth(b, id);
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
        // A node that has nothing of the session.
        a.restartInThisJvm();
        String rewound = b.mediaPlaylist("/" + playbackId + ".m3u8?dvr=1");
        TestServer.await(
                "the whole session",
                SOON,
                () -> DvrSession.listed(b, rewound, nodes.index(B, id)) == stored + SHORT);
        DvrSession.assertWhole(b, rewound, nodes.index(B, id), before);
        assertFalse(nodes.index(B, id).listed().isEmpty(), "B-frames at the end of the first");
        String live = b.mediaPlaylist("/" + playbackId + ".m3u8");
        DvrSession.assertLive(b, live, nodes.index(B, id));
        DvrSession.assertSame(a, b, rewound);
        b.complete(stream);
        List<Integer> shown = and(count(0, stored), count(0, SHORT));
        TestServer.await("the end", SOON, () -> b.view(rewound).body().contains("#EXT-X-ENDLIST"));
        assertEquals(shown, NumberedVideo.numbers(b.playback(rewound)));
        awaitFinished(b, id);

        assertEquals(1, ofStream(b, stream).size(), b::output);
        assertTrue(stored >= least, stored + " of " + least);
        assertPlays(b, id, shown);
        assertEquals(1, events(b, "asset.created", id));
        // One with the first segment, and one with the end.
        assertEquals(2, events(b, "asset.ready", id));
        String clip = clip(b, id, stored - 20, stored + 30);
        assertPlays(b, clip, shown.subList(stored - 20, stored + 30));
        nodes.awaitUpload(B, id);
        nodes.awaitUpload(B, clip);
        assertEquals(List.of(), nodes.tail(id));

        assertPlays(a, id, shown);
        assertPlays(a, clip, shown.subList(stored - 20, stored + 30));
    }

    @Test
    void s3IsAway_theAssetEndsAndAnotherBegins_whileTheLiveStreamGoesOn() throws Exception {
        nodes.serve(a);
        String id;
        String session;
        String playbackId = create(a);
        try (Encoder _ = push(a, first)) {
            id = nodes.recording(stream);
            session = a.get(STREAMS + "/" + stream).path("active_session_id").asText();
            nodes.gate.refuseAll(503, "SlowDown");
            a.kill();
        }
        a.loseDisk();

        try (Encoder encoder = pushed(b, second)) {
            String live = "/" + playbackId + ".m3u8";
            TestServer.await("live at b", SOON, () -> b.view(live).statusCode() == 200);
            assertEquals(session, b.get(STREAMS + "/" + stream).path("active_session_id").asText());
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
        b.complete(stream);
        TestServer.await("another asset", SOON, () -> isFinished(other(b, stream, id)));
        assertPlays(b, other(b, stream, id).path("asset_id").asText(), count(0, SHORT));

        nodes.gate.acceptAll();
        awaitFinished(b, id);
        assertEquals(2, ofStream(b, stream).size());
        int frames = played(b, hls(b, id)).size();
        assertTrue(frames >= NumberedVideo.PER_SECOND);
        assertPlays(b, id, count(0, frames));
    }

    @Test
    void diskThatComesBackWithMore_losesNothing() throws Exception {
        nodes.serve(a);
        encode(WITHOUT_B_FRAMES, WITHOUT_B_FRAMES);
        String id;
        create(a);
        try (Encoder _ = push(a, first)) {
            id = nodes.recording(stream);
            nodes.gate.refuseAll(503, "SlowDown");
            int now = nodes.segments(A, id);
            TestServer.await("segments that S3 lacks", SOON, () -> nodes.segments(A, id) > now + 2);
            a.kill();
        }
        int all = nodes.framesBefore(A, id);
        nodes.gate.acceptAll();
        int stored;
        try (Encoder encoder = pushed(b, second)) {
            assertEquals(0, encoder.await(SOON), encoder::output);
            stored = nodes.storedBefore(B, id);
        }
        b.complete(stream);
        awaitFinished(b, id);
        assertTrue(stored < all, stored + " of " + all);
        assertPlays(b, id, and(count(0, stored), count(0, SHORT)));
        nodes.awaitUpload(B, id);

        a.restartInThisJvm();
        TestServer.await("the rest", SOON, () -> isFinished(other(a, stream, id)));
        String rest = other(a, stream, id).path("asset_id").asText();
        int more = played(a, hls(a, rest)).size();
        assertTrue(stored + more >= all, stored + " and " + more + " of " + all);
        assertPlays(a, rest, count(stored, stored + more));
        TestServer.await(
                "the folder is removed",
                SOON,
                () -> !Files.exists(nodes.files(A, id).resolve("rest")));
        assertPlays(a, id, and(count(0, stored), count(0, SHORT)));
    }

    /** Each node is stopped and started while the session is at the other one. */
    @Test
    void rollingRestart_leavesOneAsset() throws Exception {
        nodes.serve();
        encode(WITHOUT_B_FRAMES, WITHOUT_B_FRAMES);
        String id;
        create(a);
        try (Encoder _ = push(a, first)) {
            id = nodes.recording(stream);
            a.stop();
        }
        try (Encoder _ = pushed(b, first)) {
            TestServer.await("media at b", SOON, () -> nodes.timelines(B, id) == 2);
            a.restartInThisJvm();
            b.stop();
        }
        try (Encoder encoder = pushed(a, second)) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
        a.complete(stream);
        awaitFinished(a, id);

        assertEquals(1, ofStream(a, stream).size(), a::output);
        List<Integer> shown = played(a, hls(a, id));
        int secondAt = shown.lastIndexOf(0);
        int firstAt = shown.subList(0, secondAt).lastIndexOf(0);
        assertTrue(firstAt > 0, shown::toString);
        assertPlays(
                a, id, and(count(0, firstAt), and(count(0, secondAt - firstAt), count(0, SHORT))));
        b.restartInThisJvm();
        nodes.awaitUpload(A, id);
        assertPlays(b, id, shown);
    }

    /** The former node runs on. The encoder comes back with other parameters. */
    @Test
    void drain_leavesTheAssetToTheNextNode() throws Exception {
        nodes.serve();
        encode(WITHOUT_B_FRAMES, WITHOUT_B_FRAMES + " -level 4.0");
        String id;
        create(a);
        try (Encoder cut = push(a, first)) {
            id = nodes.recording(stream);
            b.call("PUT", "/system/v1/nodes/node-a/drain", "");
            cut.await(SOON);
        }
        int all = NodePair.frames(nodes.index(A, id).segments());
        try (Encoder encoder = pushed(b, second)) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
        b.complete(stream);
        awaitFinished(b, id);

        assertEquals(1, ofStream(b, stream).size(), b::output);
        List<Integer> shown = and(count(0, all), count(0, SHORT));
        assertPlays(b, id, shown);
        assertPlays(a, id, shown);
        TestServer.await(
                "the former folder is removed",
                SOON,
                () ->
                        !Files.exists(nodes.files(A, id))
                                || Files.exists(nodes.files(A, id).resolve("from-s3")));
        assertPlays(a, id, shown);
    }

    /** A stream, and its playback id. */
    private String create(StartedServer server) {
        JsonNode made =
                server.call(
                        "POST",
                        STREAMS,
                        "{\"record\": true, \"reconnect_window\": 600, \"latency_mode\": \"low\"}");
        stream = made.path("id").asText();
        key = made.path("stream_key").asText();
        return made.at("/playback_ids/0/id").asText();
    }

    private Encoder push(StartedServer server, Path flv) throws IOException {
        return Encoder.file(flv, server.push(key));
    }

    private Encoder pushed(StartedServer server, Path flv) throws Exception {
        return Encoder.fileLetIn(flv, server.push(key), SOON);
    }

    private void assertGrowingAssetHasBoth(StartedServer server, String id) {
        String media = server.mediaPlaylist(hls(server, id));
        String playlist = server.view(media).body();
        long number = nodes.index(B, id).segments().getFirst().mediaSequence();
        assertTrue(playlist.contains("#EXT-X-MEDIA-SEQUENCE:" + number + "\n"), playlist);
        assertTrue(playlist.contains("#EXT-X-DISCONTINUITY\n"), playlist);
        String folder = media.substring(0, media.lastIndexOf('/') + 1);
        List<String> segments =
                playlist.lines().filter(line -> line.matches("s\\d+[.]m4s")).toList();
        for (String segment : List.of(segments.getFirst(), segments.getLast())) {
            assertEquals(200, server.view(folder + segment).statusCode(), segment);
        }
    }
}
