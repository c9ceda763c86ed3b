package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.app.NumberedVideo.and;
import static touchline.api.app.NumberedVideo.count;
import static touchline.api.app.ServerAsset.ASSETS;
import static touchline.api.app.ServerAsset.assertPlays;
import static touchline.api.app.ServerAsset.awaitFinished;
import static touchline.api.app.ServerAsset.events;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.db.TestPostgres;
import touchline.api.storage.S3Store;
import touchline.config.DatabaseConfig;
import touchline.packager.record.Recording;

/** An owner that does nothing for a while, and wakes up when its session is another node's. */
@Timeout(480)
final class FrozenOwnerIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams";
    private static final int SHORT_S = 20;

    /** Of a node that must not go on: a service manager starts it again. */
    private static final int FENCED = 2;

    private final DatabaseConfig database = TestPostgres.newDatabase();

    @TempDir private Path folder;

    @Test
    void frozenOwner_changesNothingOfARecordingThatHasGoneOnElsewhere() throws Exception {
        Path first = folder.resolve("first.flv");
        Path second = folder.resolve("second.flv");
        NumberedVideo.encode(first, 60, "libx264 -preset ultrafast -bf 2 -g 30");
        NumberedVideo.encode(second, SHORT_S, "libx264 -preset ultrafast -bf 2 -g 30");
        try (S3Store store = S3Store.start();
                StartedServer a =
                        StartedServer.inProcess(folder.resolve("node-a"), node("node-a", store));
                StartedServer b =
                        StartedServer.inThisJvm(folder.resolve("node-b"), node("node-b", store))) {
            JsonNode stream =
                    a.awaitReady()
                            .call(
                                    "POST",
                                    STREAMS,
                                    "{\"record\": true, \"reconnect_window\": 120,"
                                            + " \"latency_mode\": \"low\"}");
            String key = stream.path("stream_key").asText();
            String id;
            try (Encoder _ = Encoder.file(first, a.push(key))) {
                TestServer.await(
                        "segments in S3",
                        SOON,
                        () ->
                                store.keys().stream().filter(it -> it.contains("/tail/")).count()
                                        > 2);
                id = a.get(ASSETS).path(0).path("asset_id").asText();
                TestServer.await("b can prove that a has ended", SOON, this::isWitness);
                a.signal("STOP");
            }

            int stored;
            try (Encoder encoder = Encoder.fileLetIn(second, b.push(key), SOON)) {
                TestServer.await("it goes on at b", SOON, () -> timelines(id) == 2);
                a.signal("CONT");
                assertEquals(FENCED, a.awaitExit(), a::output);
                stored = framesOfA(id);
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
            b.complete(stream.path("id").asText());
            awaitFinished(b, id);

            assertTrue(stored >= NumberedVideo.PER_SECOND, () -> stored + " frames");
            List<Integer> shown =
                    and(count(0, stored), count(0, SHORT_S * NumberedVideo.PER_SECOND));
            assertPlays(b, id, shown);
            assertEquals(1, events(b, "asset.created", id));
            assertEquals(2, events(b, "asset.ready", id));
            TestServer.await("the upload", SOON, () -> ServerAsset.stored(b) == 1);
            a.restartInThisJvm();
            assertPlays(a, id, shown);
        }
    }

    private Map<String, String> node(String name, S3Store store) {
        Map<String, String> environment = StartedServer.node(name, database, store.endpoint());
        // A busy host may need longer than usual to go on elsewhere.
        environment.put("TOUCHLINE_STORAGE_S3_CONTINUE_WITHIN", "60s");
        return environment;
    }

    /**
     * Node b has had the database for a lease when a was last answered: docs/cluster-ownership.md.
     */
    private boolean isWitness() {
        return TestPostgres.has(
                database,
                "SELECT 1 FROM nodes a, nodes b WHERE a.id = 'node-a' AND b.id = 'node-b'"
                        + " AND b.unbroken_since_ms + ? <= a.confirmed_at_ms",
                OwnershipTimes.DEFAULT.leaseMs());
    }

    private List<Recording.Segment> atB(String id) {
        Path files = folder.resolve("node-b").resolve("assets").resolve(id);
        try {
            return Files.exists(files.resolve(Recording.INDEX))
                    ? Recording.load(files).segments()
                    : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private long timelines(String id) {
        return atB(id).stream().map(Recording.Segment::init).distinct().count();
    }

    /** Frames that node b has taken over. */
    private int framesOfA(String id) {
        List<Recording.Segment> segments = atB(id);
        long us =
                segments.stream()
                        .filter(segment -> segment.init() == segments.getFirst().init())
                        .mapToLong(Recording.Segment::durationUs)
                        .sum();
        return Math.toIntExact((us * NumberedVideo.PER_SECOND + 500_000) / 1_000_000);
    }
}
