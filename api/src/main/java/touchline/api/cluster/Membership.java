package touchline.api.cluster;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.ownership.NodeLease;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.NodeStanding.PeerState;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Registry;
import touchline.api.db.NodeExchange;
import touchline.api.domain.ClockDifference;

/**
 * This node among the others: what its heartbeats carry, and whether it may publish. The thread of
 * the lease reports heartbeats; any thread asks.
 */
public final class Membership implements NodeExchange {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final OwnershipTimes times;
    private final LongSupplier nanoTime;
    private final ClockWatch clockWatch;
    private final AtomicReference<@Nullable NodeStanding> standing = new AtomicReference<>();

    private volatile @Nullable NodeRef self;
    private volatile boolean draining;

    /** When the heartbeat that has no answer yet was sent; 0 while none is on its way. */
    private volatile long onItsWaySinceNs;

    /** A heartbeat has failed, and no later one has let the database know. */
    private volatile boolean broken;

    private volatile long newestDatabaseMs;
    private volatile @Nullable Streams streams;

    /** The streams of this node, as heartbeats see them. No call waits. */
    interface Streams {
        /** What is to be stored, and which rows are to be read. */
        List<Owned> due();

        /**
         * @param gone streams that were sent, and have no row any more
         * @param draining whether this node takes no further streams
         */
        void read(List<Owned> sent, List<OwnerRow> rows, Set<String> gone, boolean draining);
    }

    /**
     * @param clock of this host
     * @param nanoTime a monotonic clock
     */
    public Membership(OwnershipTimes times, InstantSource clock, LongSupplier nanoTime) {
        this.times = times;
        this.nanoTime = nanoTime;
        this.clockWatch = new ClockWatch(clock, nanoTime);
    }

    /** Called once, before the first publisher is admitted. */
    void carry(Streams all) {
        streams = all;
    }

    @Override
    public OwnershipTimes times() {
        return times;
    }

    /** Time of this node, which has any origin. */
    long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong());
    }

    /** This node in its present incarnation. Called after the join. */
    NodeRef self() {
        NodeRef joined = self;
        if (joined == null) {
            throw new IllegalStateException("this node has not joined");
        }
        return joined;
    }

    /** Whether it takes no further streams. */
    boolean draining() {
        return draining;
    }

    /** The standing now. */
    NodeStanding standing() {
        NodeStanding now = change(each -> each.at(nowMs()));
        if (now == null) {
            throw new IllegalStateException("this node has not joined");
        }
        return now;
    }

    /** Whether viewers are answered: the lease is good, or no node has the database. */
    public boolean mayAnswer() {
        return switch (standing().mode()) {
            case NORMAL, OUTAGE -> true;
            case HOLDING, FENCED -> false;
        };
    }

    private @Nullable NodeStanding change(UnaryOperator<NodeStanding> work) {
        while (true) {
            NodeStanding before = standing.get();
            if (before == null) {
                return null;
            }
            NodeStanding after = work.apply(before);
            if (after.equals(before)) {
                return after;
            }
            if (standing.compareAndSet(before, after)) {
                logChange(before.mode(), after.mode());
                return after;
            }
        }
    }

    private static void logChange(NodeStanding.Mode before, NodeStanding.Mode after) {
        if (before != after) {
            log.warn(
                    "cluster: {} -> {} ({})",
                    before,
                    after,
                    switch (after) {
                        case NORMAL -> "a heartbeat was confirmed";
                        case OUTAGE -> "no node has the database: streams go on";
                        case HOLDING -> "the lease is over: streams stand still";
                        case FENCED -> "this node ends";
                    });
        }
    }

    // ---- heartbeats

    @Override
    public void joined(NodeRef node, Registry registry, long sentAtNs) {
        self = node;
        newestDatabaseMs = registry.nowMs();
        standing.set(NodeStanding.joined(heartbeat(registry, sentAtNs), registry, node));
    }

    private static NodeStanding.Heartbeat heartbeat(Registry registry, long sentAtNs) {
        return new NodeStanding.Heartbeat(
                TimeUnit.NANOSECONDS.toMillis(sentAtNs), registry.nowMs());
    }

    @Override
    public Sent due() {
        NodeStanding now = standing();
        Streams all = streams;
        onItsWaySinceNs = nanoTime.getAsLong();
        clockWatch.sent();
        return new Sent(
                now.confirmedAtMs(), broken || now.failing(), all == null ? List.of() : all.due());
    }

    @Override
    public void confirmed(Sent sent, Answer answer, long sentAtNs) {
        Registry registry = answer.registry();
        NodeRef node = self();
        NodeStanding.Heartbeat heartbeat = heartbeat(registry, sentAtNs);
        onItsWaySinceNs = 0;
        clockWatch.answered(registry.nowMs());
        if (sent.broken()) {
            broken = false;
        }
        newestDatabaseMs = registry.nowMs();
        NodeStanding _ = change(each -> each.confirmed(heartbeat, registry, node));
        boolean drains = registry.leaseOf(node).state() == NodeLease.State.DRAINING;
        if (drains && !draining) {
            log.info("node {} drains: it gives its streams up", node.id());
        }
        draining = drains;
        Streams all = streams;
        if (all != null) {
            Set<String> gone = new HashSet<>();
            sent.owned().forEach(each -> gone.add(each.epoch().stream().value()));
            List<OwnerRow> rows = new ArrayList<>(answer.rows());
            rows.forEach(row -> gone.remove(row.streamId()));
            all.read(sent.owned(), rows, gone, drains);
        }
    }

    @Override
    public void failed() {
        onItsWaySinceNs = 0;
        fail();
    }

    private void fail() {
        broken = true;
        NodeStanding _ = change(each -> each.failed(nowMs()));
    }

    /** The clock of this host, by the newest heartbeat; empty before the first. */
    public Optional<ClockDifference> clock() {
        return clockWatch.newest();
    }

    // ---- peers

    /** What this node says of its database when another one asks. */
    public PeerState state() {
        return new PeerState(!standing().failing(), newestDatabaseMs);
    }

    /** The standing now. A heartbeat whose answer does not come in time has failed. */
    NodeStanding watched() {
        long sinceNs = onItsWaySinceNs;
        boolean isLate =
                sinceNs != 0
                        && TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - sinceNs)
                                > times.answerMs();
        if (isLate && !standing().failing()) {
            fail();
        }
        return standing();
    }

    void peerAnswered(String peer, PeerState state, long askedAtMs) {
        NodeStanding _ =
                change(each -> each.failing() ? each.peerAnswered(peer, state, askedAtMs) : each);
    }

    @Override
    public void rejected() {
        NodeStanding _ = change(NodeStanding::rejected);
    }
}
