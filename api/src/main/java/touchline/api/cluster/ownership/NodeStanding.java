package touchline.api.cluster.ownership;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node may publish and answer: fresh heartbeat, outage mode, or fenced. Immutable; each
 * method returns the next standing. Times are node time except where said.
 *
 * <p>A node whose lease has ended stops by itself, whatever the database thinks. Its lease counts
 * from when a heartbeat was <em>sent</em>, so it is over here before it is over in the database.
 */
public final class NodeStanding {
    /** In outage mode an owner uses one number above its floor in this time. */
    public static final long OUTAGE_NUMBER_MS = 1_000;

    /** State of a node. */
    public enum Mode {
        /** The newest confirmed heartbeat is younger than the lease. */
        NORMAL,
        /** The database is away for this node and for every peer. */
        OUTAGE,
        /** Neither: publishes and answers nothing (503), but keeps its sessions for the grace. */
        HOLDING,
        /** Drops all sessions, cuts their encoders, joins as a new incarnation. */
        FENCED
    }

    /**
     * What a node says when a peer asks for its database.
     *
     * @param hasDatabase whether its newest heartbeat went through
     * @param databaseMs newest database time in any answer that it has had. A node whose clock
     *     stood still learns from it that its own lease has ended meanwhile.
     */
    public record PeerState(boolean hasDatabase, long databaseMs) {}

    private record PeerAnswer(PeerState state, long askedAtMs) {}

    private static final PeerAnswer NOT_ASKED =
            new PeerAnswer(new PeerState(/* hasDatabase= */ true, 0), Long.MIN_VALUE);

    private final OwnershipTimes times;
    private final Mode mode;
    private final long sentAtMs;
    private final long confirmedAtMs;
    private final long failedSinceMs;
    private final long modeSinceMs;
    private final Map<String, PeerAnswer> peers;

    private NodeStanding(
            OwnershipTimes times,
            Mode mode,
            Heartbeat newest,
            long failedSinceMs,
            long modeSinceMs,
            Map<String, PeerAnswer> peers) {
        this.times = times;
        this.mode = mode;
        this.sentAtMs = newest.sentAtMs;
        this.confirmedAtMs = newest.confirmedAtMs;
        this.failedSinceMs = failedSinceMs;
        this.modeSinceMs = modeSinceMs;
        this.peers = peers;
    }

    /**
     * A heartbeat, or a join, that the database confirmed.
     *
     * @param sentAtMs node time
     * @param confirmedAtMs database time
     */
    public record Heartbeat(long sentAtMs, long confirmedAtMs) {}

    /** The standing after a join. */
    public static NodeStanding joined(Heartbeat join, Registry registry, NodeRef self) {
        return new NodeStanding(
                registry.times(), Mode.NORMAL, join, -1, -1, askedPeers(registry, self));
    }

    /**
     * A confirmed heartbeat ends outage mode and holding.
     *
     * @param registry read in the transaction of the heartbeat: the peers to ask from now on
     */
    public NodeStanding confirmed(Heartbeat heartbeat, Registry registry, NodeRef self) {
        if (mode == Mode.FENCED || heartbeat.sentAtMs < sentAtMs) {
            return this;
        }
        return joined(heartbeat, registry, self);
    }

    /**
     * All that are not gone, also without lease: the first node that has the database again after
     * an outage finds the leases of all others over, and they come back after it.
     */
    private static Map<String, PeerAnswer> askedPeers(Registry registry, NodeRef self) {
        Map<String, PeerAnswer> asked = new HashMap<>();
        for (NodeLease each : registry.leases()) {
            if (each.state() != NodeLease.State.GONE && !each.node().id().equals(self.id())) {
                asked.put(each.node().id(), NOT_ASKED);
            }
        }
        return asked;
    }

    /** A heartbeat failed, or its answer did not come in time: it may be stored nevertheless. */
    public NodeStanding failed(long nowMs) {
        long since = failedSinceMs >= 0 ? failedSinceMs : nowMs;
        return copy(mode, since, modeSinceMs, peers);
    }

    /** The database no longer knows this incarnation. */
    public NodeStanding rejected() {
        return copy(Mode.FENCED, failedSinceMs, modeSinceMs, peers);
    }

    /**
     * @param askedAtMs node time at which the request was sent
     */
    public NodeStanding peerAnswered(String peer, PeerState state, long askedAtMs) {
        PeerAnswer known = peers.get(peer);
        if (known == null || known.askedAtMs > askedAtMs) {
            return this;
        }
        Map<String, PeerAnswer> next = new HashMap<>(peers);
        next.put(peer, new PeerAnswer(state, askedAtMs));
        return copy(mode, failedSinceMs, modeSinceMs, next);
    }

    /** The standing at a time: before each publication, each answer and each use of a number. */
    public NodeStanding at(long nowMs) {
        Mode next = modeAt(nowMs);
        if (next == mode) {
            return this;
        }
        return copy(next, failedSinceMs, nowMs, peers);
    }

    private Mode modeAt(long nowMs) {
        boolean leased = nowMs - sentAtMs < times.leaseMs();
        return switch (mode) {
            case FENCED -> Mode.FENCED;
            case HOLDING -> nowMs - modeSinceMs >= times.graceMs() ? Mode.FENCED : Mode.HOLDING;
            case OUTAGE -> {
                if (everyPeerIsWithoutDatabase(nowMs)) {
                    yield Mode.OUTAGE;
                }
                yield leased ? Mode.NORMAL : Mode.HOLDING;
            }
            // Not later than the lease: a successor may rely on it that a node which was not in
            // outage mode when its lease ended has used no outage number.
            case NORMAL -> {
                if (!leased) {
                    yield Mode.HOLDING;
                }
                yield failing() && everyPeerIsWithoutDatabase(nowMs) ? Mode.OUTAGE : Mode.NORMAL;
            }
        };
    }

    /** And none had it at a time when this node's lease was over, so none can have taken over. */
    private boolean everyPeerIsWithoutDatabase(long nowMs) {
        for (PeerAnswer each : peers.values()) {
            if (each.state.hasDatabase
                    || each.state.databaseMs >= confirmedAtMs + times.leaseMs()
                    || each.askedAtMs < nowMs - times.answerMs()) {
                return false;
            }
        }
        return true;
    }

    public Mode mode() {
        return mode;
    }

    /** Publishing and answering is allowed. Only meaningful on the result of {@link #at}. */
    public boolean mayPublish() {
        return mode == Mode.NORMAL || mode == Mode.OUTAGE;
    }

    /** Whether the newest heartbeat failed: what this node answers a peer that asks. */
    public boolean failing() {
        return failedSinceMs >= 0;
    }

    /** Peers to ask whether they have the database, while heartbeats fail. */
    public Iterable<String> peers() {
        return peers.keySet();
    }

    /** Database time of the newest confirmed heartbeat: sent with the next one. */
    public long confirmedAtMs() {
        return confirmedAtMs;
    }

    /** Numbers above the floor that may be used by now: one at once, then one a second. */
    public long outageNumbers(long nowMs) {
        return mode == Mode.OUTAGE ? (nowMs - modeSinceMs) / OUTAGE_NUMBER_MS + 1 : 0;
    }

    private NodeStanding copy(
            Mode nextMode,
            long nextFailedSinceMs,
            long nextModeSinceMs,
            Map<String, PeerAnswer> nextPeers) {
        return new NodeStanding(
                times,
                nextMode,
                new Heartbeat(sentAtMs, confirmedAtMs),
                nextFailedSinceMs,
                nextModeSinceMs,
                nextPeers);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodeStanding that
                && mode == that.mode
                && sentAtMs == that.sentAtMs
                && confirmedAtMs == that.confirmedAtMs
                && failedSinceMs == that.failedSinceMs
                && modeSinceMs == that.modeSinceMs
                && peers.equals(that.peers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(mode, sentAtMs, confirmedAtMs, peers);
    }
}
