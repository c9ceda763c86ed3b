package touchline.api.cluster;

import java.time.Duration;
import java.util.Optional;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding.PeerState;
import touchline.api.domain.ClusterNode;

/** Asks the ports of other nodes, at the addresses that the database had last. Any thread. */
public final class NodePeers implements Peers {
    private final NodeDirectory directory;
    private final NodeClient client;
    private final Duration patience;

    /**
     * @param patience for an answer
     */
    public NodePeers(NodeDirectory directory, NodeClient client, Duration patience) {
        this.directory = directory;
        this.client = client;
        this.patience = patience;
    }

    @Override
    public Optional<PeerState> state(String node) {
        Optional<ClusterNode> peer = reachable(node);
        if (peer.isEmpty()) {
            return Optional.empty();
        }
        try {
            NodeReport report = client.state(peer.get(), patience);
            return report.incarnation() == peer.get().incarnation()
                    ? Optional.of(new PeerState(report.hasDatabase(), report.databaseMs()))
                    : Optional.empty();
        } catch (NodeCallException _) {
            return Optional.empty();
        }
    }

    @Override
    public boolean refuses(NodeRef owner) {
        Optional<ClusterNode> node = reachable(owner.id());
        if (node.isEmpty() || node.get().incarnation() != owner.incarnation()) {
            return false;
        }
        try {
            NodeReport _ = client.state(node.get(), patience);
            return false;
        } catch (NodeCallException e) {
            return e.isRefused();
        }
    }

    private Optional<ClusterNode> reachable(String node) {
        return directory.find(node).filter(each -> each.addresses().areKnown());
    }
}
