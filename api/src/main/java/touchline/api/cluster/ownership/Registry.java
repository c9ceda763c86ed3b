package touchline.api.cluster.ownership;

import java.util.List;

/**
 * All rows of {@code nodes} and the database's time, read in one transaction, and what follows from
 * them about an owner. Immutable.
 */
public record Registry(List<NodeLease> leases, long nowMs, OwnershipTimes times) {
    public Registry {
        leases = List.copyOf(leases);
    }

    /** What the registry proves about a node. */
    public enum Liveness {
        /** The lease is good. */
        ALIVE,
        /** The lease is over, and the node cannot have been in outage mode. */
        DEAD,
        /** Dead, but it may have used outage numbers: a database outage lies in between. */
        DEAD_AFTER_OUTAGE,
        /**
         * The lease is over, but the node may still be publishing in outage mode without knowing of
         * any node here that has the database.
         */
        UNKNOWN
    }

    /** The row of exactly this incarnation, else {@link NodeLease#unknown}. */
    public NodeLease leaseOf(NodeRef node) {
        for (NodeLease each : leases) {
            if (each.node().equals(node)) {
                return each;
            }
        }
        return NodeLease.unknown(node);
    }

    public Liveness liveness(NodeRef owner) {
        NodeLease lease = leaseOf(owner);
        if (lease.good(nowMs)) {
            return Liveness.ALIVE;
        }
        if (leases.stream().anyMatch(each -> excludesOutageMode(each, lease))) {
            return Liveness.DEAD;
        }
        if (leases.stream().anyMatch(each -> endsOutageMode(each, lease))) {
            return Liveness.DEAD_AFTER_OUTAGE;
        }
        return Liveness.UNKNOWN;
    }

    /**
     * Whether this node's heartbeats went through until after the owner's lease. An owner that was
     * not in outage mode when its lease ended does not enter it any more.
     */
    private boolean excludesOutageMode(NodeLease witness, NodeLease owner) {
        return isWitness(witness, owner) && knowsEndOfLease(witness, owner);
    }

    /**
     * Whether the owner had to ask this node, and was answered "I have the database" until the
     * node's newest heartbeat: none has failed since before the owner's last confirmed one. One
     * lease of margin, because a row's time is taken before its commit.
     */
    boolean isWitness(NodeLease node, NodeLease owner) {
        return node.good(nowMs)
                && node.unbrokenSinceMs() + times.leaseMs() <= owner.confirmedAtMs();
    }

    /**
     * Whether the owner knew this node, which has had the database long enough for all to return.
     */
    private boolean endsOutageMode(NodeLease witness, NodeLease owner) {
        return witness.good(nowMs)
                && !witness.node().equals(owner.node())
                && witness.startedAtMs() + times.leaseMs() <= owner.confirmedAtMs()
                && isSettled(witness, owner);
    }

    /**
     * Whether the node's heartbeats have gone through for so long, and beyond the owner's lease,
     * that an owner with a database would have been back. Counted in answers that the node has had,
     * not up to now: the database itself may have stood still, and time jumps when it goes on.
     */
    private boolean isSettled(NodeLease node, NodeLease owner) {
        return node.unbrokenSinceMs() + times.settleMs() <= node.confirmedAtMs()
                && knowsEndOfLease(node, owner);
    }

    /** Whether any node here could have seen the owner come back since its lease ended. */
    boolean wasAwaited(NodeRef owner) {
        return wasAwaited(owner, /* forMs= */ 0);
    }

    /** The same for a long time. */
    boolean isForgotten(NodeRef node) {
        return wasAwaited(node, times.forgetMs());
    }

    private boolean wasAwaited(NodeRef node, long forMs) {
        NodeLease lease = leaseOf(node);
        return leases.stream()
                .anyMatch(
                        each ->
                                each.good(nowMs)
                                        && isSettled(each, lease)
                                        && each.confirmedAtMs() >= lease.leaseUntilMs() + forMs);
    }

    /**
     * Whether the node has an answer from after the owner's lease. An owner whose clock stood still
     * asks it before it enters outage mode, and learns of the end. What is stored is not enough:
     * the node may not know that it is.
     */
    private static boolean knowsEndOfLease(NodeLease node, NodeLease owner) {
        return node.confirmedAtMs() >= owner.leaseUntilMs();
    }

    /**
     * Numbers above the floor that a node may have used in outage mode: one a second since its
     * newest confirmed heartbeat, or since a witness last had the database; the one used at once;
     * and one for clocks that run fast.
     */
    public long outageNumbers(NodeRef owner) {
        NodeLease lease = leaseOf(owner);
        long sinceMs = lease.confirmedAtMs();
        for (NodeLease each : leases) {
            if (!each.node().equals(owner) && isWitness(each, lease)) {
                sinceMs = Math.max(sinceMs, each.seenAtMs(times));
            }
        }
        return Math.max(0, nowMs - sinceMs) / NodeStanding.OUTAGE_NUMBER_MS + 2;
    }
}
