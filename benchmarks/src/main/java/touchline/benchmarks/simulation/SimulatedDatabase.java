package touchline.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeLease;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnedStream.Action;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Registry;
import touchline.api.cluster.ownership.Takeover;
import touchline.api.cluster.ownership.Takeover.Verdict;

/**
 * One database: transactions run one after the other, and what is committed survives its crashes.
 * An answer can be lost although its transaction was committed. Owned by the schedule's thread.
 */
final class SimulatedDatabase {
    /** Its clock is far from those of the nodes, so that mixing them up shows. */
    private static final long CLOCK_MS = 1_700_000_000_000L;

    private final World world;
    private final Map<String, NodeLease> nodes = new TreeMap<>();
    private final Map<String, OwnerRow> owners = new TreeMap<>();
    private final Map<String, Long> sessionEpochs = new TreeMap<>();
    private final Map<String, OwnerRow> readBefore = new TreeMap<>();
    private final Map<String, Long> reportedNewest = new TreeMap<>();
    private final Set<String> outageCounted = new HashSet<>();
    private final Deque<Runnable> received = new ArrayDeque<>();
    private int crashes;
    private boolean down;
    private boolean stopped;

    SimulatedDatabase(World world) {
        this.world = world;
    }

    /** What a node sends with a heartbeat. */
    record Heartbeat(
            NodeRef node,
            long confirmedAtMs,
            boolean broken,
            List<Raise> raises,
            Map<String, Long> newest) {}

    /** A floor to be raised. */
    record Raise(String stream, Action.RaiseFloor raise) {}

    /** What a heartbeat returns. */
    record HeartbeatAnswer(Registry registry, List<OwnerRow> rows) {}

    // ---- faults

    void crash() {
        down = true;
        crashes++;
        received.clear();
    }

    void restart() {
        down = false;
    }

    void stop() {
        stopped = true;
    }

    void goOn() {
        stopped = false;
        while (!received.isEmpty()) {
            received.remove().run();
        }
    }

    /**
     * Sends a transaction from a node.
     *
     * @param failed the connection is refused; a lost answer is the caller's time-out
     */
    <R> void call(
            int node,
            Function<SimulatedDatabase, R> transaction,
            Consumer<R> answer,
            Runnable failed) {
        Network network = world.network;
        int self = network.databaseIndex();
        network.send(
                node,
                self,
                () -> {
                    if (down) {
                        network.send(self, node, failed);
                        return;
                    }
                    int life = crashes;
                    Runnable run =
                            () -> {
                                R result = transaction.apply(this);
                                network.send(
                                        self,
                                        node,
                                        () -> {
                                            if (life == crashes) {
                                                answer.accept(result);
                                            }
                                        });
                            };
                    if (stopped) {
                        received.add(run);
                    } else {
                        run.run();
                    }
                });
    }

    // ---- transactions

    long nowMs() {
        return world.time.nowMs() + CLOCK_MS;
    }

    Registry registry() {
        return new Registry(new ArrayList<>(nodes.values()), nowMs(), world.times);
    }

    OwnerRow row(String stream) {
        return owners.computeIfAbsent(stream, _ -> OwnerRow.unclaimed(stream, 0));
    }

    /** A read outside the transaction that claims. */
    OwnerRow read(String node, String stream) {
        OwnerRow row = row(stream);
        readBefore.put(node + stream, row);
        return row;
    }

    NodeRef join(String id) {
        NodeLease former = nodes.get(id);
        NodeRef self = new NodeRef(id, former == null ? 1 : former.node().incarnation() + 1);
        if (former != null) {
            retire(former.node());
        }
        nodes.put(id, NodeLease.joined(self, nowMs(), world.times));
        return self;
    }

    private void retire(NodeRef former) {
        for (OwnerRow row : List.copyOf(owners.values())) {
            if (former.equals(row.owner())) {
                world.trace("database: %s of %s is retired", row.streamId(), former);
                outageCounted.add(row.streamId());
                OwnerRow retired = Takeover.retire(row, registry(), world.windowMs);
                store(
                        world.variant == Variant.JOIN_IGNORES_FORMER
                                ? row.retired(row.floor(), retired.resumableUntilMs())
                                : retired);
            }
        }
    }

    /** Returns null where the incarnation is not known any more. */
    @Nullable HeartbeatAnswer heartbeat(Heartbeat heartbeat) {
        NodeRef node = heartbeat.node;
        NodeLease lease = nodes.get(node.id());
        if (lease == null || !lease.node().equals(node) || lease.state() == NodeLease.State.GONE) {
            return null;
        }
        OwnershipTimes times = world.times;
        boolean stored = world.variant == Variant.OUTAGE_COUNTED_FROM_STORED_HEARTBEAT;
        long confirmedAtMs = stored ? nowMs() : heartbeat.confirmedAtMs;
        nodes.put(node.id(), lease.heartbeat(nowMs(), confirmedAtMs, heartbeat.broken, times));
        for (Raise each : heartbeat.raises) {
            raise(node, each.stream, each.raise);
        }
        reportedNewest.putAll(heartbeat.newest);
        return new HeartbeatAnswer(registry(), List.copyOf(owners.values()));
    }

    OwnerRow raise(NodeRef node, String stream, Action.RaiseFloor raise) {
        return write(
                node,
                stream,
                raise.epoch(),
                "floor " + raise.atLeast(),
                row ->
                        world.variant == Variant.FLOOR_MAY_FALL
                                ? fallen(row, raise.atLeast())
                                : row.floorRaised(raise.atLeast()));
    }

    private static OwnerRow fallen(OwnerRow row, long floor) {
        return new OwnerRow(
                row.streamId(),
                row.epoch(),
                row.owner(),
                row.sessionId(),
                row.phase(),
                row.resumableUntilMs(),
                floor,
                row.initFloor(),
                row.resume(),
                row.wantedBy());
    }

    /** A guarded write of an owner; returns the row behind it. */
    OwnerRow write(
            NodeRef node, String stream, long epoch, String what, UnaryOperator<OwnerRow> change) {
        OwnerRow row = row(stream);
        if (!row.heldBy(node, epoch) && world.variant != Variant.NO_EPOCH_CHECK) {
            world.trace("database: %s of %s in epoch %d is rejected", what, node, epoch);
            return row;
        }
        world.judge.accepted(stream, epoch, what);
        OwnerRow next = change.apply(row);
        store(next);
        return next;
    }

    OwnerRow end(NodeRef node, String stream, Action.EndSession end) {
        if (world.variant == Variant.JANITOR_KEEPS_EPOCH) {
            endSession(end.sessionId(), end.epoch());
        }
        return write(
                node,
                stream,
                end.epoch(),
                "end of " + end.sessionId(),
                row -> {
                    if (world.variant != Variant.JANITOR_KEEPS_EPOCH) {
                        endSession(end.sessionId(), end.epoch());
                    }
                    return row.ended(end.newest());
                });
    }

    /** The session's own row has an epoch, too: {@code UPDATE sessions … WHERE epoch = :e}. */
    private void endSession(String session, long epoch) {
        boolean accepted =
                world.variant == Variant.NO_EPOCH_CHECK
                        || sessionEpochs.getOrDefault(session, 0L) == epoch;
        world.judge.ended(session, accepted);
    }

    Verdict claim(String stream, Takeover.Claim claim) {
        OwnerRow row = row(stream);
        Verdict verdict = decide(row, registry(), claim);
        if (verdict instanceof Verdict.Won won) {
            String ended = won.endedSession();
            if (ended != null) {
                endSession(ended, row.epoch());
            }
            OwnerRow next = won.row();
            sessionEpochs.put(Objects.requireNonNull(next.sessionId()), next.epoch());
            world.trace(
                    "database: %s is owned by %s in epoch %d, session %s, first %d, floor %d",
                    stream,
                    claim.by(),
                    next.epoch(),
                    next.sessionId(),
                    won.firstNumber(),
                    next.floor());
            boolean counted = outageCounted.remove(stream) || won.firstNumber() > row.floor() + 1;
            world.judge.claimed(row, won, counted, world.time.nowMs());
            store(next);
        }
        return verdict;
    }

    private Verdict decide(OwnerRow row, Registry registry, Takeover.Claim claim) {
        OwnerRow before = readBefore.getOrDefault(claim.by().id() + row.streamId(), row);
        return switch (world.variant) {
            case NO_EPOCH_CHECK -> Takeover.decide(before, registry, claim);
            case FLOOR_READ_BEFORE_CLAIM ->
                    Takeover.decide(row.epoch() == before.epoch() ? before : row, registry, claim);
            case LEASE_ALONE_DECIDES ->
                    Takeover.decide(row, registry, claim) instanceof Verdict.Unproven
                            ? Takeover.decide(row, registry, withoutProof(claim))
                            : Takeover.decide(row, registry, claim);
            case SUCCESSOR_AT_NEWEST ->
                    Takeover.decide(row, registry, claim) instanceof Verdict.Won won
                            ? atNewest(row, won)
                            : Takeover.decide(row, registry, claim);
            default -> Takeover.decide(row, registry, claim);
        };
    }

    private static Takeover.Claim withoutProof(Takeover.Claim claim) {
        return new Takeover.Claim(
                claim.by(),
                claim.seenEpoch(),
                claim.failing(),
                /* connectionRefused= */ true,
                claim.newSessionId(),
                claim.reconnectWindowMs());
    }

    private Verdict.Won atNewest(OwnerRow before, Verdict.Won won) {
        long first = reportedNewest.getOrDefault(before.streamId(), before.floor()) + 1;
        OwnerRow row = fallen(won.row(), first + Takeover.RESERVE - 1);
        return new Verdict.Won(row, first, won.endedSession());
    }

    void wanted(String stream, long epoch, String by) {
        OwnerRow row = row(stream);
        if (row.epoch() == epoch && row.owner() != null) {
            store(row.wanted(by));
        }
    }

    /** The recurring task that ends sessions which were not resumed in time. */
    void janitor() {
        Registry registry = registry();
        for (NodeLease each : List.copyOf(nodes.values())) {
            if (Takeover.isGone(each, registry)) {
                world.trace("database: %s is gone", each.node());
                nodes.put(each.node().id(), each.with(NodeLease.State.GONE));
            }
        }
        for (OwnerRow row : List.copyOf(owners.values())) {
            OwnerRow over = Takeover.expire(row, registry, world.windowMs);
            String session = row.sessionId();
            if (over != null && session != null) {
                world.trace("database: the janitor ends %s", session);
                endSession(session, row.epoch());
                boolean keeps = world.variant == Variant.JANITOR_KEEPS_EPOCH;
                sessionEpochs.put(session, keeps ? row.epoch() : over.epoch());
                store(keeps ? row.ended(row.floor()) : over);
            }
        }
    }

    private void store(OwnerRow row) {
        owners.put(row.streamId(), row);
        world.judge.stored(row);
    }
}
