package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeMeasurements;
import touchline.api.domain.NodeState;

/** Nodes of a cluster, in memory. */
final class FakeNodes implements ClusterNodes {
    final List<ClusterNode> all = new CopyOnWriteArrayList<>();
    final Map<String, NodeMeasurements> measured = new ConcurrentHashMap<>();
    final List<ObjectNode> signals = new CopyOnWriteArrayList<>();
    Optional<ClusterLinks> links = Optional.empty();

    @Override
    public Optional<ClusterLinks> links() {
        return links;
    }

    @Override
    public List<ClusterNode> list() {
        return List.copyOf(all);
    }

    @Override
    public Map<String, NodeMeasurements> measurements(List<ClusterNode> asked) {
        return Map.copyOf(measured);
    }

    @Override
    public List<ObjectNode> signals() {
        return List.copyOf(signals);
    }

    @Override
    public boolean drain(String id) {
        boolean drained = false;
        for (int i = 0; i < all.size(); i++) {
            ClusterNode node = all.get(i);
            if (node.id().equals(id) && node.state() == NodeState.UP) {
                all.set(
                        i,
                        new ClusterNode(
                                id,
                                node.incarnation(),
                                NodeState.DRAINING,
                                node.roles(),
                                node.version(),
                                node.configHash(),
                                node.streams(),
                                node.load(),
                                node.since(),
                                node.leaseLeft(),
                                node.addresses()));
                drained = true;
            }
        }
        return drained;
    }
}
