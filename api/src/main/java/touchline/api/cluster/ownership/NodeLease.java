package touchline.api.cluster.ownership;

/**
 * A row of the table of nodes, as far as ownership reads it. All times are database time.
 * Immutable.
 *
 * @param leaseUntilMs time of the newest stored heartbeat plus the lease
 * @param confirmedAtMs time of the newest heartbeat whose answer the node had when it sent the
 *     stored one. The node counts its outage numbers from that answer, so a successor counts from
 *     here: the stored heartbeat itself may be one whose answer was lost.
 * @param unbrokenSinceMs time of the first heartbeat since which none has failed and the lease has
 *     always been good
 * @param startedAtMs time of the join
 */
public record NodeLease(
        NodeRef node,
        State state,
        long leaseUntilMs,
        long confirmedAtMs,
        long unbrokenSinceMs,
        long startedAtMs) {
    /** State of a node in the registry. */
    public enum State {
        UP,
        DRAINING,
        GONE
    }

    /** The row of a node that the registry does not know: no claim to anything. */
    public static NodeLease unknown(NodeRef node) {
        return new NodeLease(node, State.GONE, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    public static NodeLease joined(NodeRef node, long nowMs, OwnershipTimes times) {
        return new NodeLease(node, State.UP, nowMs + times.leaseMs(), nowMs, nowMs, nowMs);
    }

    public boolean good(long nowMs) {
        return state != State.GONE && leaseUntilMs > nowMs;
    }

    /** Time of the newest stored heartbeat. */
    public long seenAtMs(OwnershipTimes times) {
        return leaseUntilMs - times.leaseMs();
    }

    /**
     * The row after a heartbeat.
     *
     * @param confirmedAtMs {@link NodeStanding#confirmedAtMs()} when the heartbeat was sent
     * @param broken whether a heartbeat failed since the newest confirmed one
     */
    public NodeLease heartbeat(
            long nowMs, long confirmedAtMs, boolean broken, OwnershipTimes times) {
        return new NodeLease(
                node,
                state,
                nowMs + times.leaseMs(),
                Math.max(this.confirmedAtMs, confirmedAtMs),
                // A node that was stopped has missed heartbeats without a failure.
                broken || leaseUntilMs < nowMs ? nowMs : unbrokenSinceMs,
                startedAtMs);
    }

    public NodeLease with(State next) {
        return new NodeLease(node, next, leaseUntilMs, confirmedAtMs, unbrokenSinceMs, startedAtMs);
    }
}
