package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.MasterKeys;
import touchline.api.cluster.NodeCallException;
import touchline.api.cluster.NodeCalls;
import touchline.api.cluster.NodeClient;
import touchline.api.cluster.NodeReport;
import touchline.api.cluster.NodeSignature;
import touchline.api.cluster.WakeUp;
import touchline.api.db.ClusterChanges;
import touchline.api.db.ClusterChanges.Kind;
import touchline.api.domain.ClockDifference;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeAddresses;
import touchline.api.domain.NodeMeasurements;
import touchline.api.domain.NodeState;
import touchline.api.domain.ViewerCounts;
import touchline.config.ClusterConfig;
import touchline.media.StreamId;
import touchline.media.net.FreePorts;

/** The port for other nodes, and its client. */
final class NodeServerTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final NodeReport REPORT =
            new NodeReport(
                    "node-b",
                    7,
                    true,
                    1_234,
                    new NodeMeasurements(
                            Duration.ofMillis(5),
                            Optional.of(
                                    new ClockDifference(
                                            Duration.ofMillis(-600), Duration.ofMillis(2)))));

    @TempDir private Path folder;

    private final Calls calls = new Calls();
    private NodeServer server;
    private NodeClient client;

    /** What a node would do. */
    static final class Calls implements NodeCalls {
        final List<ClusterChanges.Row> changes = new CopyOnWriteArrayList<>();
        final List<Set<WakeUp>> wakeUps = new CopyOnWriteArrayList<>();
        volatile boolean fails;

        @Override
        public NodeReport report() {
            return REPORT;
        }

        @Override
        public ViewerCounts viewers() {
            return new ViewerCounts(3, Map.of(new StreamId("str_1"), 2, new StreamId("str_2"), 1));
        }

        @Override
        public ArrayNode signals() {
            ArrayNode all = Json.array();
            all.addObject().put("live_stream_id", "str_1").put("at", 7);
            return all;
        }

        @Override
        public boolean changed(ClusterChanges.Row change) {
            changes.add(change);
            return !fails;
        }

        @Override
        public void woken(Set<WakeUp> work) {
            wakeUps.add(work);
        }
    }

    @BeforeEach
    void open() throws NoSuchAlgorithmException {
        server =
                new NodeServer(
                        config(), signature("node-b", NOW), calls, _ -> {}, Optional.empty());
        server.start();
        client = client(NOW);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    static ClusterConfig config() {
        ClusterConfig off = ClusterConfig.OFF;
        return new ClusterConfig(
                true,
                off.node(),
                off.roles(),
                off.edgeCacheBytes(),
                off.lease(),
                off.heartbeat(),
                "127.0.0.1",
                0,
                off.advertise());
    }

    private NodeSignature signature(String node, Instant time) {
        String key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        return new NodeSignature(
                MasterKeys.load(Optional.of(key), folder), node, InstantSource.fixed(time));
    }

    private NodeClient client(Instant time) throws NoSuchAlgorithmException {
        return new NodeClient(signature("node-a", time), SSLContext.getDefault());
    }

    private static ClusterNode node(int port) {
        return new ClusterNode(
                "node-b",
                7,
                NodeState.UP,
                List.of("origin"),
                "1",
                "",
                0,
                0,
                NOW,
                Duration.ofSeconds(5),
                new NodeAddresses("http://127.0.0.1:" + port, "", ""));
    }

    @Test
    void state_isThatOfTheOtherNode() {
        assertEquals(REPORT, client.state(node(server.port()), PATIENCE));
    }

    @Test
    void request_withAnOldSignature_isRefused() throws NoSuchAlgorithmException {
        try (NodeClient late = client(NOW.minusSeconds(31))) {
            NodeCallException refused =
                    assertThrows(
                            NodeCallException.class,
                            () -> late.state(node(server.port()), PATIENCE));
            assertEquals("node node-b answered 401 (expected: 200)", refused.getMessage());
            assertFalse(refused.isRefused());
        }
    }

    @Test
    void request_withoutASignature_isRefusedWhateverItsPath() throws Exception {
        try (HttpClient plain = HttpClient.newHttpClient()) {
            for (String path : List.of("/", NodeClient.STATE, "/live/v1/live-streams")) {
                URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
                assertEquals(
                        401,
                        plain.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                                .statusCode());
            }
        }
    }

    @Test
    void call_toANodeThatHasEnded_isRefused() throws IOException {
        int port = server.port();
        server.close();

        NodeCallException refused =
                assertThrows(NodeCallException.class, () -> client.state(node(port), PATIENCE));
        assertTrue(refused.isRefused(), refused.toString());
    }

    @Test
    void change_isAppliedBeforeTheAnswer() {
        ClusterNode node = node(server.port());
        ClusterChanges.Row change = new ClusterChanges.Row(5, Kind.SIGNING_KEY, "key_1");

        assertEquals(List.of(), client.changed(List.of(node), change, PATIENCE));
        assertEquals(List.of(change), calls.changes);

        calls.fails = true;
        assertEquals(List.of(node), client.changed(List.of(node), change, PATIENCE));
    }

    @Test
    void change_reachesTheOthers_whereOneIsDead() throws IOException {
        ClusterNode alive = node(server.port());
        ClusterNode dead = node(FreePorts.next());
        ClusterChanges.Row change = new ClusterChanges.Row(5, Kind.STREAM, "str_1");

        assertEquals(List.of(dead), client.changed(List.of(dead, alive), change, PATIENCE));
        assertEquals(List.of(change), calls.changes);
    }

    @Test
    void viewers_ofAllNodesThatAnswer_areAddedUp() throws IOException {
        ClusterNode node = node(server.port());
        ViewerCounts both = client.viewers(List.of(node, node, node(FreePorts.next())), PATIENCE);

        assertEquals(6, both.total());
        assertEquals(4, both.of(new StreamId("str_1")));
        assertEquals(0, both.of(new StreamId("str_3")));
    }

    @Test
    void signals_ofAllNodesThatAnswer_areCollected() throws IOException {
        ClusterNode node = node(server.port());
        ObjectNode sample = Json.object().put("live_stream_id", "str_1").put("at", 7);

        assertEquals(
                List.of(sample, sample),
                client.signals(List.of(node, node(FreePorts.next()), node), PATIENCE));
    }

    @Test
    void states_areThoseOfTheNodesThatAnswer() throws IOException {
        List<ClusterNode> both = List.of(node(FreePorts.next()), node(server.port()));

        assertEquals(List.of(REPORT), client.states(both, PATIENCE));
    }

    @Test
    void wakeUp_namesTheWork() {
        Set<WakeUp> work = EnumSet.of(WakeUp.DELIVERIES, WakeUp.JOBS);

        assertEquals(List.of(), client.wake(List.of(node(server.port())), work, PATIENCE));
        assertEquals(List.of(work), calls.wakeUps);
    }
}
