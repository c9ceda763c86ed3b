package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.app.NumberedVideo.and;
import static touchline.api.app.NumberedVideo.count;
import static touchline.api.app.ServerAsset.ASSETS;
import static touchline.api.app.ServerAsset.assertPlays;
import static touchline.api.app.ServerAsset.awaitFinished;
import static touchline.api.app.ServerAsset.clip;
import static touchline.api.app.ServerAsset.events;
import static touchline.api.app.ServerAsset.hls;
import static touchline.api.app.ServerAsset.isFinished;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.TestPostgres;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;
import touchline.config.DatabaseConfig;
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

    private final DatabaseConfig database = TestPostgres.newDatabase();

    @TempDir private Path folder;
    private Path first;
    private Path second;
    private String stream = "";
    private String key = "";

    @BeforeEach
    void encode() throws Exception {
        first = folder.resolve("first.flv");
        second = folder.resolve("second.flv");
        NumberedVideo.encode(first, LONG_S, CODEC);
        NumberedVideo.encode(second, SHORT_S, CODEC);
    }

    @Test
    void ownerAndDiskAreLost_theSameAssetGoesOn() throws Exception {
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                ServerProcess a = node("node-a", gate).awaitReady();
                ServerProcess b = node("node-b", gate).awaitReady()) {
            String id;
            int least;
            String playbackId = create(a);
            try (Encoder _ = push(a, first)) {
                id = recording(a, store);
                int now = segments("node-a", id);
                TestServer.await("the next segment", SOON, () -> segments("node-a", id) > now);
                a.kill();
            }
            least = framesBefore("node-a", id);
            a.loseDisk();

            int stored;
            try (Encoder encoder = pushed(b, second)) {
                TestServer.await(
                        "media behind the takeover",
                        SOON,
                        () ->
                                Files.exists(files("node-b", id).resolve("continued"))
                                        && timelines("node-b", id) == 2);
                stored = storedBefore("node-b", id);
                assertGrowingAssetHasBoth(b, id);
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
            // A node that has nothing of the session.
            a.restart();
            String rewound = b.mediaPlaylist("/" + playbackId + ".m3u8?dvr=1");
            TestServer.await(
                    "the whole session",
                    SOON,
                    () -> DvrSession.listed(b, rewound) == stored + SHORT);
            DvrSession.assertWhole(b, rewound, index("node-b", id));
            String live = b.mediaPlaylist("/" + playbackId + ".m3u8");
            DvrSession.assertLive(b, live, index("node-b", id));
            DvrSession.assertSame(a, b, rewound);
            complete(b);
            List<Integer> shown = and(count(0, stored), count(0, SHORT));
            TestServer.await(
                    "the end", SOON, () -> b.view(rewound).body().contains("#EXT-X-ENDLIST"));
            assertEquals(shown, NumberedVideo.numbers(b.playback(rewound)));
            awaitFinished(b, id);

            assertEquals(1, b.get(ASSETS).size(), b::output);
            assertTrue(stored >= least, stored + " of " + least);
            assertPlays(b, id, shown);
            assertEquals(1, events(b, "asset.created", id));
            // One with the first segment, and one with the end.
            assertEquals(2, events(b, "asset.ready", id));
            String clip = clip(b, id, stored - 20, stored + 30);
            assertPlays(b, clip, shown.subList(stored - 20, stored + 30));
            TestServer.await("the upload", SOON, () -> stored(b) == 2);
            assertEquals(List.of(), tails(store, id));

            assertPlays(a, id, shown);
            assertPlays(a, clip, shown.subList(stored - 20, stored + 30));
        }
    }

    @Test
    void s3IsAway_theAssetEndsAndAnotherBegins_whileTheLiveStreamGoesOn() throws Exception {
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                ServerProcess a = node("node-a", gate).awaitReady();
                ServerProcess b = node("node-b", gate).awaitReady()) {
            String id;
            String session;
            String playbackId = create(a);
            try (Encoder _ = push(a, first)) {
                id = recording(a, store);
                session = a.get(STREAMS + "/" + stream).path("active_session_id").asText();
                gate.refuseAll(503, "SlowDown");
                a.kill();
            }
            a.loseDisk();

            try (Encoder encoder = pushed(b, second)) {
                String live = "/" + playbackId + ".m3u8";
                TestServer.await("live at b", SOON, () -> b.view(live).statusCode() == 200);
                assertEquals(
                        session, b.get(STREAMS + "/" + stream).path("active_session_id").asText());
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
            complete(b);
            TestServer.await("another asset", SOON, () -> isFinished(other(b, id)));
            assertPlays(b, other(b, id).path("asset_id").asText(), count(0, SHORT));

            gate.acceptAll();
            awaitFinished(b, id);
            assertEquals(2, b.get(ASSETS).size());
            int frames = played(b, hls(b, id)).size();
            assertTrue(frames >= NumberedVideo.PER_SECOND);
            assertPlays(b, id, count(0, frames));
        }
    }

    @Test
    void diskThatComesBackWithMore_losesNothing() throws Exception {
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                ServerProcess a = node("node-a", gate).awaitReady();
                ServerProcess b = node("node-b", gate).awaitReady()) {
            String id;
            create(a);
            try (Encoder _ = push(a, first)) {
                id = recording(a, store);
                gate.refuseAll(503, "SlowDown");
                int now = segments("node-a", id);
                TestServer.await(
                        "segments that S3 lacks", SOON, () -> segments("node-a", id) > now + 2);
                a.kill();
            }
            int all = framesBefore("node-a", id);
            gate.acceptAll();
            int stored;
            try (Encoder encoder = pushed(b, second)) {
                assertEquals(0, encoder.await(SOON), encoder::output);
                stored = storedBefore("node-b", id);
            }
            complete(b);
            awaitFinished(b, id);
            assertTrue(stored < all, stored + " of " + all);
            assertPlays(b, id, and(count(0, stored), count(0, SHORT)));
            TestServer.await("the upload", SOON, () -> stored(b) == 1);

            a.restart();
            TestServer.await("the rest", SOON, () -> isFinished(other(a, id)));
            String rest = other(a, id).path("asset_id").asText();
            int more = played(a, hls(a, rest)).size();
            assertTrue(stored + more >= all, stored + " and " + more + " of " + all);
            assertPlays(a, rest, count(stored, stored + more));
            TestServer.await(
                    "the folder is removed",
                    SOON,
                    () -> !Files.exists(files("node-a", id).resolve("rest")));
            assertPlays(a, id, and(count(0, stored), count(0, SHORT)));
        }
    }

    /** Each node is stopped and started while the session is at the other one. */
    @Test
    void rollingRestart_leavesOneAsset() throws Exception {
        NumberedVideo.encode(first, LONG_S, WITHOUT_B_FRAMES);
        NumberedVideo.encode(second, SHORT_S, WITHOUT_B_FRAMES);
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                ServerProcess a = node("node-a", gate).awaitReady();
                ServerProcess b = node("node-b", gate).awaitReady()) {
            String id;
            create(a);
            try (Encoder _ = push(a, first)) {
                id = recording(a, store);
                a.stop();
            }
            try (Encoder _ = pushed(b, first)) {
                TestServer.await("media at b", SOON, () -> timelines("node-b", id) == 2);
                a.restart();
                b.stop();
            }
            try (Encoder encoder = pushed(a, second)) {
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
            complete(a);
            awaitFinished(a, id);

            assertEquals(1, a.get(ASSETS).size(), a::output);
            List<Integer> shown = played(a, hls(a, id));
            int secondAt = shown.lastIndexOf(0);
            int firstAt = shown.subList(0, secondAt).lastIndexOf(0);
            assertTrue(firstAt > 0, shown::toString);
            assertPlays(
                    a,
                    id,
                    and(count(0, firstAt), and(count(0, secondAt - firstAt), count(0, SHORT))));
            b.restart();
            TestServer.await("the upload", SOON, () -> stored(a) == 1);
            assertPlays(b, id, shown);
        }
    }

    /** The former node runs on. The encoder comes back with other parameters. */
    @Test
    void drain_leavesTheAssetToTheNextNode() throws Exception {
        NumberedVideo.encode(first, LONG_S, WITHOUT_B_FRAMES);
        NumberedVideo.encode(second, SHORT_S, WITHOUT_B_FRAMES + " -level 4.0");
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                ServerProcess a = node("node-a", gate).awaitReady();
                ServerProcess b = node("node-b", gate).awaitReady()) {
            String id;
            create(a);
            try (Encoder cut = push(a, first)) {
                id = recording(a, store);
                b.call("PUT", "/system/v1/nodes/node-a/drain", "");
                cut.await(SOON);
            }
            int all = frames(index("node-a", id).segments());
            try (Encoder encoder = pushed(b, second)) {
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
            complete(b);
            awaitFinished(b, id);

            assertEquals(1, b.get(ASSETS).size(), b::output);
            List<Integer> shown = and(count(0, all), count(0, SHORT));
            assertPlays(b, id, shown);
            assertPlays(a, id, shown);
            TestServer.await(
                    "the former folder is removed",
                    SOON,
                    () ->
                            !Files.exists(files("node-a", id))
                                    || Files.exists(files("node-a", id).resolve("from-s3")));
            assertPlays(a, id, shown);
        }
    }

    private ServerProcess node(String name, FaultyGate gate) throws IOException {
        Map<String, String> environment = ServerProcess.node(name, database);
        environment.put("TOUCHLINE_STORAGE_S3_ENDPOINT", gate.endpoint().toString());
        environment.put("TOUCHLINE_STORAGE_S3_BUCKET", S3Store.BUCKET);
        environment.put("TOUCHLINE_STORAGE_S3_ACCESS_KEY", S3Store.ACCESS_KEY);
        environment.put("TOUCHLINE_STORAGE_S3_SECRET_KEY", S3Store.SECRET_KEY);
        environment.put("TOUCHLINE_STORAGE_S3_FINISH_AFTER", "10s");
        return new ServerProcess(folder.resolve(name), environment);
    }

    /** A stream, and its playback id. */
    private String create(ServerProcess server) {
        JsonNode made =
                server.call(
                        "POST",
                        STREAMS,
                        "{\"record\": true, \"reconnect_window\": 600, \"latency_mode\": \"low\"}");
        stream = made.path("id").asText();
        key = made.path("stream_key").asText();
        return made.at("/playback_ids/0/id").asText();
    }

    private Encoder push(ServerProcess server, Path flv) throws IOException {
        return Encoder.file(flv, server.push(key));
    }

    private Encoder pushed(ServerProcess server, Path flv) throws Exception {
        return Encoder.fileLetIn(flv, server.push(key), SOON);
    }

    private void complete(ServerProcess server) {
        server.call("PUT", STREAMS + "/" + stream + "/complete", "");
    }

    private static String recording(ServerProcess server, S3Store store) throws Exception {
        TestServer.await(
                "segments in S3",
                SOON,
                () -> store.keys().stream().filter(key -> key.contains("/tail/")).count() >= 3);
        return server.get(ASSETS).path(0).path("asset_id").asText();
    }

    private static List<String> tails(S3Store store, String id) {
        return store.keys().stream()
                .filter(key -> key.contains(id) && key.contains("/tail/"))
                .toList();
    }

    private Path files(String data, String asset) {
        return folder.resolve(data).resolve("assets").resolve(asset);
    }

    private Recording index(String data, String asset) {
        try {
            return Recording.load(files(data, asset));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private int segments(String data, String asset) {
        return index(data, asset).segments().size();
    }

    /** Init segments with media. */
    private long timelines(String data, String asset) {
        return Files.exists(files(data, asset).resolve(Recording.INDEX))
                ? index(data, asset).segments().stream()
                        .map(Recording.Segment::init)
                        .distinct()
                        .count()
                : 0;
    }

    /** Of all complete segments but the last one, whose upload may have been under way. */
    private int framesBefore(String data, String asset) {
        List<Recording.Segment> segments = index(data, asset).segments();
        return frames(segments.subList(0, segments.size() - 1)) - 1;
    }

    /** Frames that the node has taken over. */
    private int storedBefore(String data, String asset) {
        List<Recording.Segment> segments = index(data, asset).segments();
        int init = segments.getFirst().init();
        return frames(segments.stream().filter(segment -> segment.init() == init).toList());
    }

    private static int frames(List<Recording.Segment> segments) {
        return DvrSession.frames(segments.stream().mapToLong(Recording.Segment::durationUs).sum());
    }

    private void assertGrowingAssetHasBoth(ServerProcess server, String id) {
        String media = server.mediaPlaylist(hls(server, id));
        String playlist = server.view(media).body();
        long number = index("node-b", id).segments().getFirst().mediaSequence();
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
