package touchline.api.cluster;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.ownership.NodeLease;
import touchline.api.cluster.ownership.Registry;
import touchline.api.cluster.ownership.Takeover;
import touchline.api.db.NodeRepository;
import touchline.api.db.StreamOwnerRepository;
import touchline.media.StreamId;

/**
 * Declares nodes dead, and ends the sessions of streams whose owner did not come back in time.
 * Every node does: one transaction decides which of them does it. Blocks; one thread.
 */
public final class Janitor {
    private static final Logger log = LoggerFactory.getLogger(Janitor.class);
    private static final int AT_ONCE = 100;

    private final Membership membership;
    private final NodeRepository nodes;
    private final StreamOwnerRepository owners;
    private final StreamOwnership.Sessions sessions;

    public Janitor(
            Membership membership,
            NodeRepository nodes,
            StreamOwnerRepository owners,
            StreamOwnership.Sessions sessions) {
        this.membership = membership;
        this.nodes = nodes;
        this.owners = owners;
        this.sessions = sessions;
    }

    /** Looks at all nodes and streams, unless this node's own heartbeats fail. */
    public void tick() {
        if (membership.standing().failing()) {
            return;
        }
        Registry registry = nodes.registry(membership.times());
        for (NodeLease each : registry.leases()) {
            if (Takeover.isGone(each, registry) && nodes.declareDead(each.node())) {
                log.warn(
                        "node {} is declared dead: its lease is over since {} ms",
                        each.node(),
                        registry.nowMs() - each.leaseUntilMs());
            }
        }
        owners.expirable(AT_ONCE).forEach(this::expire);
    }

    private void expire(StreamId stream) {
        boolean ended =
                owners.expire(
                        stream, former -> sessions.closeAbandoned(stream, former.connected()));
        if (ended) {
            log.warn("stream={} is free: its encoder did not return in time", stream);
        }
    }
}
