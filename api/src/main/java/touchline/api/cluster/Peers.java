package touchline.api.cluster;

import java.util.Optional;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding.PeerState;

/** Port: the other nodes, as this one can reach them without the database. Calls block. */
public interface Peers {
    /** What a node says of its database; empty where it does not answer in time. */
    Optional<PeerState> state(String node);

    /** Whether nothing listens at the port for nodes of an owner: its process is over. */
    boolean refuses(NodeRef owner);
}
