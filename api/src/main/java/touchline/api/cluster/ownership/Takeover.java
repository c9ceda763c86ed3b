package touchline.api.cluster.ownership;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.OwnerRow.Phase;

/**
 * Decides claims of a stream and the end of sessions whose owner is dead. Stateless. Call it inside
 * the transaction that locks the owner row and writes the result: a floor that was read earlier may
 * have risen since, under the same epoch.
 */
public final class Takeover {
    /** Numbers that an owner reserves at a time, the one in progress included. */
    public static final int RESERVE = 3;

    private Takeover() {}

    /**
     * A node's claim of a stream.
     *
     * @param seenEpoch epoch of the row that made the node claim
     * @param failing {@link NodeStanding#failing()} of the claimant
     * @param connectionRefused the owner's RTMP port and control port refused connections: its
     *     process is over
     * @param newSessionId used where no session can go on
     * @param reconnectWindowMs of the stream
     */
    public record Claim(
            NodeRef by,
            long seenEpoch,
            boolean failing,
            boolean connectionRefused,
            String newSessionId,
            long reconnectWindowMs) {}

    /** What becomes of a claim. */
    public sealed interface Verdict {
        /**
         * The claimant owns the stream.
         *
         * @param row to be stored
         * @param firstNumber of the new owner; all numbers below may have been used
         * @param endedSession session to be ended in the same transaction, null where one goes on
         *     or none ran
         */
        record Won(OwnerRow row, long firstNumber, @Nullable String endedSession)
                implements Verdict {}

        /** Another claim came first, or the claimant's own lease is over: read the row again. */
        record Lost() implements Verdict {}

        /** The owner's lease is good: relay to it. */
        record Alive(NodeRef owner) implements Verdict {}

        /** The lease is over, but nothing proves yet that the owner has stopped. */
        record Unproven(NodeRef owner) implements Verdict {}
    }

    public static Verdict decide(OwnerRow row, Registry registry, Claim claim) {
        if (row.epoch() != claim.seenEpoch || !registry.leaseOf(claim.by).good(registry.nowMs())) {
            return new Verdict.Lost();
        }
        NodeRef owner = row.owner();
        if (owner == null) {
            return won(row, registry, claim, row.floor(), row.resumableUntilMs());
        }
        NodeLease lease = registry.leaseOf(owner);
        long untilMs = resumableUntilMs(row, lease, registry, claim.reconnectWindowMs);
        long outage = row.floor() + registry.outageNumbers(owner);
        if (owner.equals(claim.by) || claim.connectionRefused) {
            boolean exact = claimantIsWitness(registry, claim, lease);
            return won(row, registry, claim, exact ? row.floor() : outage, untilMs);
        }
        return switch (registry.liveness(owner)) {
            case ALIVE -> new Verdict.Alive(owner);
            case DEAD -> won(row, registry, claim, row.floor(), untilMs);
            case DEAD_AFTER_OUTAGE -> won(row, registry, claim, outage, untilMs);
            case UNKNOWN ->
                    sessionIsOver(registry, owner, untilMs)
                            ? won(row, registry, claim, outage, untilMs)
                            : new Verdict.Unproven(owner);
        };
    }

    /** The claimant's word is newer than its row: its heartbeats have not failed up to now. */
    private static boolean claimantIsWitness(Registry registry, Claim claim, NodeLease owner) {
        return !claim.failing && registry.isWitness(registry.leaseOf(claim.by), owner);
    }

    private static Verdict won(
            OwnerRow row, Registry registry, Claim claim, long usedUpTo, long untilMs) {
        boolean resumed = row.sessionId() != null && registry.nowMs() <= untilMs;
        String session = resumed ? Objects.requireNonNull(row.sessionId()) : claim.newSessionId;
        return new Verdict.Won(
                row.claimed(claim.by, session, resumed, usedUpTo + RESERVE),
                usedUpTo + 1,
                resumed ? null : row.sessionId());
    }

    /**
     * Until when the session of a row can go on, database time. An owner that died while its
     * encoder sent has written no end of the window: it counts from the owner's newest heartbeat.
     */
    private static long resumableUntilMs(
            OwnerRow row, NodeLease lease, Registry registry, long reconnectWindowMs) {
        return row.phase() == Phase.INTERRUPTED
                ? row.resumableUntilMs()
                : lease.seenAtMs(registry.times()) + reconnectWindowMs;
    }

    /** The same for a row with or without an owner. */
    public static long resumableUntilMs(OwnerRow row, Registry registry, long reconnectWindowMs) {
        NodeRef owner = row.owner();
        return owner == null
                ? row.resumableUntilMs()
                : resumableUntilMs(row, registry.leaseOf(owner), registry, reconnectWindowMs);
    }

    /** Whether a session of an owner that may still publish cannot be resumed anyway. */
    private static boolean sessionIsOver(Registry registry, NodeRef owner, long untilMs) {
        return registry.nowMs() > untilMs && registry.wasAwaited(owner);
    }

    /**
     * The janitor's end of a session that was not resumed in time.
     *
     * @param reconnectWindowMs of the stream
     * @return the row to be stored with the end of its session, or null: nothing to end
     */
    public static @Nullable OwnerRow expire(
            OwnerRow row, Registry registry, long reconnectWindowMs) {
        NodeRef owner = row.owner();
        if (row.sessionId() == null) {
            return null;
        }
        if (owner == null) {
            boolean over = registry.nowMs() > row.resumableUntilMs();
            return over ? row.endedForOwner(row.floor()) : null;
        }
        NodeLease lease = registry.leaseOf(owner);
        long untilMs = resumableUntilMs(row, lease, registry, reconnectWindowMs);
        boolean over =
                switch (registry.liveness(owner)) {
                    case ALIVE -> false;
                    case DEAD, DEAD_AFTER_OUTAGE -> registry.nowMs() > untilMs;
                    case UNKNOWN -> sessionIsOver(registry, owner, untilMs);
                };
        return over ? row.endedForOwner(row.floor() + registry.outageNumbers(owner)) : null;
    }

    /**
     * Whether the janitor sets a node to {@code gone}: from then on its heartbeats are rejected,
     * and it comes back as a new incarnation. One of which nothing is proven is declared dead late:
     * until then its peers ask it, and do not enter outage mode without its answer. That proves
     * nothing about its streams, which are claimed as before.
     */
    public static boolean isGone(NodeLease node, Registry registry) {
        return node.state() != NodeLease.State.GONE
                && switch (registry.liveness(node.node())) {
                    case ALIVE -> false;
                    case DEAD, DEAD_AFTER_OUTAGE -> true;
                    case UNKNOWN -> registry.isForgotten(node.node());
                };
    }

    /**
     * A row of the joining node's former incarnation, whose process is over: the lock of its data
     * folder proves it. Call it before the join overwrites the former lease, from which the numbers
     * are counted that the former incarnation may have used in outage mode.
     */
    public static OwnerRow retire(OwnerRow row, Registry registry, long reconnectWindowMs) {
        NodeRef former = Objects.requireNonNull(row.owner(), "owner");
        NodeLease lease = registry.leaseOf(former);
        return row.retired(
                row.floor() + registry.outageNumbers(former),
                resumableUntilMs(row, lease, registry, reconnectWindowMs));
    }
}
