package touchline.api.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import touchline.api.db.TestPostgres;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;
import touchline.config.DatabaseConfig;
import touchline.packager.record.Recording;

/**
 * Two nodes on one PostgreSQL and one bucket behind a gate, for all tests of a class. Each test
 * begins with {@link #serve}, makes a stream of its own, and looks only at that one's assets.
 */
final class NodePair implements AutoCloseable {
    static final String A = "node-a";
    static final String B = "node-b";

    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int TAIL_OBJECTS = 3;

    final FaultyGate gate;
    final StartedServer a;
    final StartedServer b;

    private final DatabaseConfig database = TestPostgres.newDatabase();
    private final S3Store store;
    private final Path folder;

    /**
     * @param folder of the data folders, which have the names of the nodes
     * @param more variables of both nodes
     */
    NodePair(Path folder, Map<String, String> more) throws Exception {
        this.folder = folder;
        store = S3Store.start();
        gate = new FaultyGate(store.port());
        a = StartedServer.inProcess(folder.resolve(A), node(A, more));
        b = StartedServer.inThisJvm(folder.resolve(B), node(B, more));
        a.awaitReady();
    }

    private Map<String, String> node(String name, Map<String, String> more) {
        Map<String, String> environment = StartedServer.node(name, database);
        environment.putAll(s3(gate));
        environment.putAll(more);
        return environment;
    }

    /** Variables of a server with recordings in S3; a recording without its node ends soon. */
    static Map<String, String> s3(FaultyGate gate) {
        Map<String, String> variables = new HashMap<>(StartedServer.s3(gate.endpoint()));
        variables.put("TOUCHLINE_STORAGE_S3_FINISH_AFTER", "10s");
        return variables;
    }

    /**
     * S3 accepts everything, and both nodes run and take streams, whatever was before.
     *
     * @param killed nodes that live in processes now
     */
    void serve(StartedServer... killed) throws Exception {
        gate.acceptAll();
        serve(a, A, List.of(killed).contains(a));
        serve(b, B, List.of(killed).contains(b));
    }

    private static void serve(StartedServer node, String name, boolean inProcess) throws Exception {
        if (node.isRunning() && (isDraining(node, name) || inProcess && !node.isProcess())) {
            node.stop();
        }
        if (!node.isRunning() && inProcess) {
            node.restart();
        } else if (!node.isRunning()) {
            node.restartInThisJvm();
        }
    }

    private static boolean isDraining(StartedServer node, String name) {
        return node.get("/system/v1/nodes")
                .valueStream()
                .filter(each -> each.path("id").asText().equals(name))
                .anyMatch(each -> each.path("state").asText().equals("draining"));
    }

    /** Waits until some segments of a stream are in S3, and returns the asset. */
    String recording(String stream) throws Exception {
        return recording(b, store, stream);
    }

    /** The same for any server. */
    static String recording(StartedServer server, S3Store store, String stream) throws Exception {
        TestServer.awaitCostly(
                "an asset", SOON, () -> !ServerAsset.ofStream(server, stream).isEmpty());
        String id = ServerAsset.ofStream(server, stream).path(0).path("asset_id").asText();
        TestServer.awaitCostly(
                "segments in S3", SOON, () -> tail(store, id).size() >= TAIL_OBJECTS);
        return id;
    }

    /** Objects of an unfinished recording. */
    List<String> tail(String asset) {
        return tail(store, asset);
    }

    /** The same in any bucket. */
    static List<String> tail(S3Store store, String asset) {
        return store.keys().stream()
                .filter(key -> key.contains(asset) && key.contains("/tail/"))
                .toList();
    }

    /** Waits until all files of an asset of a node are in S3. */
    void awaitUpload(String node, String asset) throws Exception {
        TestServer.awaitCostly(
                "the upload of " + asset + " by " + node, SOON, () -> isUploaded(node, asset));
    }

    private boolean isUploaded(String node, String asset) {
        return TestPostgres.has(
                database,
                "SELECT 1 FROM assets WHERE id = ? AND home = ? AND uploaded_at_ms IS NOT NULL",
                asset,
                node);
    }

    /** The folder of an asset at a node. */
    Path files(String node, String asset) {
        return folder.resolve(node).resolve("assets").resolve(asset);
    }

    Recording index(String node, String asset) {
        return index(files(node, asset));
    }

    /** The same of any folder of an asset. */
    static Recording index(Path files) {
        try {
            return Recording.load(files);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    int segments(String node, String asset) {
        return segments(files(node, asset));
    }

    /** The same of any folder of an asset. */
    static int segments(Path files) {
        return index(files).segments().size();
    }

    /** Init segments with media. */
    long timelines(String node, String asset) {
        return Files.exists(files(node, asset).resolve(Recording.INDEX))
                ? index(node, asset).segments().stream()
                        .map(Recording.Segment::init)
                        .distinct()
                        .count()
                : 0;
    }

    /** Of all complete segments but the last one, whose upload may have been under way. */
    int framesBefore(String node, String asset) {
        return framesBefore(index(node, asset));
    }

    /** The same of any recording. */
    static int framesBefore(Recording index) {
        List<Recording.Segment> segments = index.segments();
        return frames(segments.subList(0, segments.size() - 1)) - 1;
    }

    /** Frames that the node has taken over. */
    int storedBefore(String node, String asset) {
        List<Recording.Segment> segments = index(node, asset).segments();
        int init = segments.getFirst().init();
        return frames(segments.stream().filter(segment -> segment.init() == init).toList());
    }

    static int frames(List<Recording.Segment> segments) {
        return DvrSession.frames(segments.stream().mapToLong(Recording.Segment::durationUs).sum());
    }

    @Override
    public void close() throws IOException {
        try (store;
                gate;
                a;
                b) {}
    }
}
