package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeMeasurements;

/** Port: the nodes of a cluster. Calls block; any thread. */
public interface ClusterNodes {
    /** All nodes that ever joined, by id; none where this server is the only one. */
    List<ClusterNode> list();

    /** The calls to the other nodes; empty where this server is the only one. */
    default Optional<ClusterLinks> links() {
        return Optional.empty();
    }

    /**
     * What nodes have measured with their newest heartbeat, by their ids; nodes that do not answer
     * within a second are missing.
     *
     * @param asked of {@link #list}
     */
    default Map<String, NodeMeasurements> measurements(List<ClusterNode> asked) {
        return Map.of();
    }

    /**
     * The newest samples of signals that the other nodes watch, as the API shows them; at most half
     * a second old.
     */
    default List<ObjectNode> signals() {
        return List.of();
    }

    /** Asks a node to take no further streams; false where it is not up. */
    boolean drain(String id);
}
