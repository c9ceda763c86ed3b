package touchline.api.cluster.ownership;

import java.util.List;
import touchline.api.cluster.ownership.NodeLease.State;

/** Rows and registries of three nodes, in round database times. */
final class OwnershipFixture {
    static final OwnershipTimes TIMES = OwnershipTimes.DEFAULT;
    static final NodeRef X = new NodeRef("x", 1);
    static final NodeRef Y = new NodeRef("y", 1);
    static final NodeRef Z = new NodeRef("z", 1);
    static final long WINDOW_MS = 60_000;

    /** Database time at which X's newest heartbeat was stored. */
    static final long SEEN_MS = 1_000_000;

    private OwnershipFixture() {}

    /** A node with heartbeats since long ago, the newest of which was stored at a time. */
    static NodeLease lease(NodeRef node, long seenMs) {
        return lease(node, seenMs, /* unbrokenSinceMs= */ 0);
    }

    static NodeLease lease(NodeRef node, long seenMs, long unbrokenSinceMs) {
        return new NodeLease(
                node,
                State.UP,
                seenMs + TIMES.leaseMs(),
                seenMs - TIMES.heartbeatMs(),
                unbrokenSinceMs,
                /* startedAtMs= */ 0);
    }

    static Registry at(long nowMs, NodeLease... leases) {
        return new Registry(List.of(leases), nowMs, TIMES);
    }

    /** Owned by X in epoch 7, floor 107, a session on the air. */
    static OwnerRow ownedByX() {
        return OwnerRow.unclaimed("s", 104)
                .claimed(X, "session", /* resumed= */ false, 107)
                .publishing()
                .floorRaised(107);
    }

    static Takeover.Claim claim(NodeRef by, OwnerRow row) {
        return new Takeover.Claim(by, row.epoch(), false, false, "new-session", WINDOW_MS);
    }
}
