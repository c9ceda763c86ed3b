package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.MasterKeys;
import touchline.api.cluster.DatabaseClock;
import touchline.api.cluster.NodeClient;
import touchline.api.cluster.NodeDirectory;
import touchline.api.cluster.NodeSignature;
import touchline.api.db.ClusterRows;
import touchline.api.db.ClusterStreams;
import touchline.api.db.Database;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.NodeIdentity;
import touchline.api.db.NodeRepository;
import touchline.api.domain.ActiveSession;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Requests at a node about streams of another one. */
final class OwnerRoutingTest {
    private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    @TempDir private Path folder;

    private ApiFixture owner;
    private NodeServer port;
    private ApiFixture asked;
    private NodeClient client;
    private StreamId stream;

    @BeforeEach
    void open() throws NoSuchAlgorithmException {
        owner = new ApiFixture();
        port =
                new NodeServer(
                        NodeServerTest.config(),
                        signature("node-b"),
                        new NodeServerTest.Calls(),
                        owner.routing.forNodes()::mount,
                        Optional.empty());
        port.start();
        client = new NodeClient(signature("node-a"), SSLContext.getDefault());
        asked = new ApiFixture(TestConfig.of(false), this::links);
        stream = new StreamId(owner.create("{}").path("id").asText());
        asked.streams.create(owner.streams.find(stream).orElseThrow());
        ClusterRows.owner(asked.database, stream, "node-b", "publishing", "ses_1");
        owner.live.start(stream);
    }

    @AfterEach
    void close() {
        asked.close();
        client.close();
        port.close();
        owner.close();
    }

    private NodeSignature signature(String node) {
        return new NodeSignature(
                MasterKeys.load(Optional.of(KEY), folder), node, () -> ApiFixture.START);
    }

    private Optional<ClusterLinks> links(Database database) {
        return links(database, port.port(), Duration.ofSeconds(10));
    }

    private Optional<ClusterLinks> links(Database database, int ownerPort, Duration patience) {
        ClusterRows.prepare(database);
        ClusterRows.node(database, "node-b", "http://127.0.0.1:" + ownerPort);
        NodeDirectory directory =
                new NodeDirectory(
                        new NodeRepository(database),
                        new NodeIdentity("node-a", 1, MemoryDatabase.HEARTBEATS),
                        new DatabaseClock(Instant.EPOCH, System::nanoTime));
        directory.tick();
        return Optional.of(new ClusterLinks(directory, client, patience));
    }

    private String path() {
        return LiveStreamRoutes.STREAMS + "/" + stream.value();
    }

    @Test
    void stream_ofAnotherNode_isShownAndChangedThere() {
        TestReply shown = asked.get(path());
        assertEquals("active", shown.data().path("status").asText());
        assertTrue(shown.data().has("viewers"), shown.text());

        assertEquals(200, asked.put(path() + "/disable", null).status());
        assertEquals(List.of(), asked.live.calls);
        assertFalse(owner.live.calls.isEmpty());
        assertTrue(owner.streams.find(stream).orElseThrow().disabled());
    }

    @Test
    void failure_ofTheOwner_isTheAnswer() {
        assertEquals(40002, asked.patch(path(), "{\"reconnect_window\":\"long\"}").code());
        assertEquals(40401, asked.delete(path() + "/playback-ids/pb_none").code());
        assertEquals(
                40901,
                asked.put(path() + "/generated-watermark", overlay()).code(),
                "the look of a scoreboard, while the stream is active elsewhere");
    }

    private static String overlay() {
        return "{\"type\":\"html\",\"url\":\"https://a.example/\",\"overlay_settings\":{\"width\":\"50%\"}}";
    }

    @Test
    void caller_isCheckedHereAndThere() {
        assertEquals(
                40102,
                asked.call("GET", path(), null, Map.of("Authorization", "Bearer admin.wrong"))
                        .code());
        // A token that only this node's database has.
        String mine = asked.bearer(touchline.api.domain.Scope.LIVE_READ);
        assertEquals(40102, asked.call("GET", path(), null, Map.of("Authorization", mine)).code());
    }

    @Test
    void change_isMadeHere_whereTheOwnerIsGone() {
        port.close();

        assertEquals(200, asked.put(path() + "/disable", null).status());
        assertTrue(asked.streams.find(stream).orElseThrow().disabled());
        assertFalse(asked.live.calls.isEmpty());
        assertFalse(owner.streams.find(stream).orElseThrow().disabled());
    }

    /** Longer than a first connection needs, also on a busy machine. */
    private static final Duration HANGING = Duration.ofSeconds(2);

    /** A node beside an owner that takes connections and answers nothing. */
    private ApiFixture besideHangingOwner(ServerSocket hanging) {
        ApiFixture node =
                new ApiFixture(
                        TestConfig.of(false),
                        database -> links(database, hanging.getLocalPort(), HANGING));
        node.streams.create(owner.streams.find(stream).orElseThrow());
        ClusterRows.owner(node.database, stream, "node-b", "publishing", "ses_1");
        return node;
    }

    @Test
    void change_isRefused_whileAnOwnerThatHangsHasItsLease() throws IOException {
        try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ApiFixture node = besideHangingOwner(hanging)) {
            assertEquals(50301, node.patch(path(), "{\"title\":\"new\"}").code());
            assertEquals(50301, node.put(path() + "/disable", null).code());
            assertEquals(200, node.get(path()).status(), "reading changes nothing");

            assertEquals(List.of(), node.live.calls);
            assertFalse(node.streams.find(stream).orElseThrow().disabled());
        }
    }

    @Test
    void change_isMadeHere_whereTheLeaseOfTheOwnerEndsMeanwhile() throws Exception {
        try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ApiFixture node = besideHangingOwner(hanging)) {
            CountDownLatch answered = new CountDownLatch(1);
            Thread owner = Thread.ofVirtual().start(() -> lateAtCall(hanging, node, answered));

            assertEquals(200, node.put(path() + "/disable", null).status());
            assertTrue(node.streams.find(stream).orElseThrow().disabled());
            answered.countDown();
            owner.join();
        }
    }

    /** The lease ends while the call waits for its answer. */
    private static void lateAtCall(ServerSocket hanging, ApiFixture node, CountDownLatch answered) {
        try (Socket _ = hanging.accept()) {
            ClusterRows.late(node.database, "node-b");
            answered.await();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void request_isAnsweredHere_whereTheLeaseOfTheOwnerIsOver() {
        ClusterRows.late(asked.database, "node-b");

        assertEquals("idle", asked.get(path()).data().path("status").asText());
    }

    @Test
    void activity_isThatOfAllNodes() {
        ClusterStreams rows = new ClusterStreams(asked.database);
        StreamActivity activity = new StreamActivity(asked.live, Optional.of(rows));
        StreamId here = new StreamId(asked.create("{}").path("id").asText());
        StreamId away = new StreamId(asked.create("{}").path("id").asText());
        StreamId waiting = new StreamId(asked.create("{}").path("id").asText());
        asked.live.start(here);
        ClusterRows.owner(asked.database, away, "node-b", "interrupted", "ses_2");
        ClusterRows.owner(asked.database, waiting, "node-b", "waiting", null);

        assertEquals(Set.of(stream, here, away), activity.streams());
        assertEquals(
                Optional.of(ActiveSession.connected(new SessionId("ses_1"))),
                activity.session(stream));
        assertEquals(
                Optional.of(
                        new ActiveSession(
                                new SessionId("ses_2"), Optional.of(Instant.ofEpochSecond(5)))),
                activity.session(away));
        assertEquals(Optional.empty(), activity.session(waiting));
        assertTrue(activity.session(here).isPresent());
    }
}
