package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.ClockDifference;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeAddresses;
import touchline.api.domain.NodeMeasurements;
import touchline.api.domain.NodeState;

/** The nodes of a cluster in the API. */
final class NodeRoutesTest {
    private static final Instant SINCE = Instant.parse("2026-03-01T12:00:00Z");

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    static ClusterNode node(String id, NodeState state) {
        return new ClusterNode(
                id,
                3,
                state,
                List.of("origin", "jobs"),
                "1.2.0",
                "ab",
                7,
                0.12345,
                SINCE,
                Duration.ofSeconds(5),
                NodeAddresses.NONE);
    }

    @Test
    void nodes_ofTheOnlyServer_areNone() {
        assertEquals("[]", api.get("/system/v1/nodes").data().toString());
    }

    @Test
    void nodes_ofACluster_areListed() {
        api.nodes.all.add(node("node-a", NodeState.UP));
        api.nodes.all.add(node("node.b", NodeState.GONE));
        api.nodes.measured.put(
                "node-a",
                new NodeMeasurements(
                        Duration.ofNanos(12_900_000),
                        Optional.of(
                                new ClockDifference(
                                        Duration.ofMillis(-90_004), Duration.ofMillis(3)))));
        api.nodes.all.add(node("node-c", NodeState.UP));
        api.nodes.measured.put("node-c", new NodeMeasurements(Duration.ZERO, Optional.empty()));

        JsonNode nodes = api.get("/system/v1/nodes").data();

        assertEquals(3, nodes.size());
        assertEquals(
                "{\"id\":\"node-a\",\"state\":\"up\",\"roles\":[\"origin\",\"jobs\"],"
                        + "\"version\":\"1.2.0\",\"streams\":7,\"load\":0.123,"
                        + "\"since\":\"2026-03-01T12:00:00Z\","
                        + "\"lease_left_ms\":5000,\"heartbeat_late_ms\":12,"
                        + "\"clock_ahead_ms\":-90004,\"clock_error_ms\":3}",
                nodes.get(0).toString());
        assertEquals("gone", nodes.get(1).path("state").asText());
        assertEquals(0, nodes.get(1).path("lease_left_ms").asInt(-1));
        assertTrue(nodes.get(1).path("heartbeat_late_ms").isNull());
        assertTrue(nodes.get(1).path("clock_ahead_ms").isNull());
        assertEquals(0, nodes.get(2).path("heartbeat_late_ms").asInt(-1));
        assertTrue(nodes.get(2).path("clock_error_ms").isNull());
    }

    @Test
    void drain_ofANodeThatRuns_isOnceAndForAll() {
        api.nodes.all.add(node("node.b", NodeState.UP));

        for (int i = 0; i < 2; i++) {
            JsonNode drained = api.put("/system/v1/nodes/node.b/drain", null).data();
            assertEquals("draining", drained.path("state").asText());
        }
    }

    @Test
    void drain_ofANodeThatIsGoneOrUnknown_isRefused() {
        api.nodes.all.add(node("node-a", NodeState.GONE));

        assertEquals(40901, api.put("/system/v1/nodes/node-a/drain", null).code());
        assertEquals(40401, api.put("/system/v1/nodes/node-z/drain", null).code());
    }
}
