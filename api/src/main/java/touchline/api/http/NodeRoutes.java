package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.domain.ClockDifference;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeMeasurements;
import touchline.api.domain.NodeState;
import touchline.api.domain.Scope;

/** The nodes of a cluster; none where this server is the only one. Any thread. */
final class NodeRoutes {
    private static final double PRECISION = 1_000;

    private final ClusterNodes nodes;

    NodeRoutes(ClusterNodes nodes) {
        this.nodes = nodes;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.GET, "/system/v1/nodes", Scope.SYSTEM, this::list),
                ApiRoute.of(Method.PUT, "/system/v1/nodes/{id}/drain", Scope.SYSTEM, this::drain));
    }

    private ApiReply list(ApiRequest request) {
        ArrayNode data = Json.array();
        List<ClusterNode> all = nodes.list();
        Map<String, NodeMeasurements> measured = nodes.measurements(all);
        all.forEach(node -> data.add(json(node, measured)));
        return ApiReply.ok(data);
    }

    /** A node that drains already stays as it is. */
    private ApiReply drain(ApiRequest request) {
        String id = request.pathText("id");
        boolean _ = nodes.drain(id);
        ClusterNode node =
                nodes.list().stream()
                        .filter(each -> each.id().equals(id))
                        .findFirst()
                        .orElseThrow(() -> ApiException.notFound("node"));
        if (node.state() == NodeState.GONE) {
            throw ApiException.wrongState("node: gone (expected: up or draining)");
        }
        return ApiReply.ok(json(node, nodes.measurements(List.of(node))));
    }

    private static ObjectNode json(ClusterNode node, Map<String, NodeMeasurements> measured) {
        ObjectNode json = Json.object();
        json.put("id", node.id());
        json.put("state", node.state().wireName());
        ArrayNode roles = json.putArray("roles");
        node.roles().forEach(roles::add);
        json.put("version", node.version());
        json.put("streams", node.streams());
        json.put("load", Math.round(node.load() * PRECISION) / PRECISION);
        json.put("since", node.since().toString());
        json.put("lease_left_ms", node.isAlive() ? node.leaseLeft().toMillis() : 0);
        Optional<NodeMeasurements> newest = Optional.ofNullable(measured.get(node.id()));
        Optional<ClockDifference> clock = newest.flatMap(NodeMeasurements::clock);
        put(json, "heartbeat_late_ms", newest.map(NodeMeasurements::late));
        put(json, "clock_ahead_ms", clock.map(ClockDifference::ahead));
        put(json, "clock_error_ms", clock.map(ClockDifference::error));
        return json;
    }

    private static void put(ObjectNode json, String name, Optional<Duration> value) {
        json.put(name, value.map(Duration::toMillis).orElse(null));
    }
}
