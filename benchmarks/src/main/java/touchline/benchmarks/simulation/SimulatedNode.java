package touchline.benchmarks.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.OwnedStream;
import touchline.api.cluster.ownership.OwnedStream.Action;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.Registry;

/**
 * A server in the cluster: its join, heartbeats and standing. Streams and connections are in {@link
 * NodeStreams} and {@link NodeConnections}. Owned by the schedule's thread.
 */
final class SimulatedNode {
    private static final long TICK_MS = 500;
    private static final long JANITOR_MS = 4_000;

    final String id;
    final int index;
    final SimulatedProcess process;
    final NodeStreams streams;
    final NodeConnections connections;
    private final World world;
    private final Map<String, NodeRef> directory = new HashMap<>();

    private boolean draining;
    private long newestDatabaseMs;
    private boolean heartbeatOnItsWay;
    private int heartbeatTimer;
    private @Nullable NodeRef self;
    private @Nullable NodeStanding standing;

    SimulatedNode(World world, int index) {
        this.world = world;
        this.index = index;
        this.id = "node-" + index;
        this.process = new SimulatedProcess(world, index, id);
        this.streams = new NodeStreams(world, this);
        this.connections = new NodeConnections(world, this);
    }

    // ---- faults

    void start() {
        if (process.up()) {
            return;
        }
        world.trace("%s starts", id);
        process.start();
        join();
    }

    /**
     * @param withHost its peers and encoders notice nothing
     */
    void kill(boolean withHost) {
        if (!process.up()) {
            return;
        }
        world.trace("%s %s", id, withHost ? "is lost with its host" : "is killed");
        process.kill(withHost);
        leave();
        connections.clear(/* resets= */ !withHost);
    }

    private void leave() {
        process.newLife();
        self = null;
        standing = null;
        heartbeatOnItsWay = false;
    }

    void drain(boolean on) {
        draining = on;
        if (on && self != null) {
            world.trace("%s drains", id);
            streams.all(new OwnedStream.Message.Drain());
        }
    }

    boolean draining() {
        return draining;
    }

    @Nullable NodeRef self() {
        return self;
    }

    /** The standing now, or null before the join. */
    @Nullable NodeStanding standing() {
        NodeStanding current = standing;
        if (current == null) {
            return null;
        }
        NodeStanding now = current.at(process.nowMs());
        if (now.mode() != current.mode()) {
            world.trace("%s: %s -> %s", id, current.mode(), now.mode());
        }
        standing = now;
        return now;
    }

    // ---- registry

    private void join() {
        long sentAtMs = process.nowMs();
        process.transaction(
                database -> {
                    NodeRef joined = database.join(id);
                    return new Joined(joined, database.registry());
                },
                joined -> joined(joined, sentAtMs),
                () -> process.post(500, this::join));
    }

    private record Joined(NodeRef self, Registry registry) {}

    private void joined(Joined joined, long sentAtMs) {
        world.trace("%s has joined", joined.self);
        self = joined.self;
        sawDatabase(joined.registry.nowMs());
        standing =
                NodeStanding.joined(
                        new NodeStanding.Heartbeat(sentAtMs, joined.registry.nowMs()),
                        joined.registry,
                        joined.self);
        heartbeatLater();
        process.post(TICK_MS, this::tick);
        process.post(JANITOR_MS, this::janitor);
    }

    /** An answer of the database carried this time. */
    void sawDatabase(long databaseMs) {
        newestDatabaseMs = Math.max(newestDatabaseMs, databaseMs);
    }

    private void heartbeatLater() {
        int timer = ++heartbeatTimer;
        process.post(
                world.times.heartbeatMs(),
                () -> {
                    if (timer == heartbeatTimer) {
                        heartbeat();
                    }
                });
    }

    private void heartbeat() {
        NodeRef node = self;
        NodeStanding before = standing();
        if (heartbeatOnItsWay || node == null || before == null) {
            return;
        }
        heartbeatOnItsWay = true;
        long sentAtMs = process.nowMs();
        SimulatedDatabase.Heartbeat sent =
                new SimulatedDatabase.Heartbeat(
                        node,
                        before.confirmedAtMs(),
                        before.failing(),
                        streams.heartbeatDue(),
                        streams.newest());
        process.transaction(
                database -> new Reply(database.heartbeat(sent)),
                reply -> confirmed(reply.answer, sentAtMs),
                () -> {
                    heartbeatOnItsWay = false;
                    NodeStanding current = standing();
                    if (current != null) {
                        standing = current.failed(process.nowMs());
                    }
                    heartbeatLater();
                    askPeers();
                });
    }

    private record Reply(SimulatedDatabase.@Nullable HeartbeatAnswer answer) {}

    private void confirmed(SimulatedDatabase.@Nullable HeartbeatAnswer answer, long sentAtMs) {
        heartbeatOnItsWay = false;
        NodeRef node = self;
        NodeStanding current = standing;
        if (node == null || current == null) {
            return;
        }
        if (answer == null) {
            standing = current.rejected();
            fenceIfNeeded();
            return;
        }
        Registry registry = answer.registry();
        sawDatabase(registry.nowMs());
        standing =
                current.confirmed(
                        new NodeStanding.Heartbeat(sentAtMs, registry.nowMs()), registry, node);
        for (OwnerRow row : answer.rows()) {
            NodeRef owner = row.owner();
            if (owner == null) {
                directory.remove(row.streamId());
            } else {
                directory.put(row.streamId(), owner);
            }
            streams.rowRead(row, node);
        }
        heartbeatLater();
    }

    private void tick() {
        if (!fenceIfNeeded()) {
            askPeers();
            connections.tick();
            process.post(TICK_MS, this::tick);
        }
    }

    /** Drops everything and joins again where the node is fenced. */
    boolean fenceIfNeeded() {
        NodeStanding current = standing();
        if (current == null || current.mode() != NodeStanding.Mode.FENCED) {
            return false;
        }
        world.trace("%s is fenced", id);
        streams.all(new OwnedStream.Message.Fenced());
        connections.clear(/* resets= */ true);
        leave();
        join();
        return true;
    }

    private void askPeers() {
        NodeStanding current = standing();
        if (current == null || !current.failing()) {
            return;
        }
        long askedAtMs = process.nowMs();
        for (String peer : current.peers()) {
            process.<NodeStanding.PeerState>ask(
                    world.nodes.get(Integer.parseInt(peer.substring("node-".length()))),
                    (target, reply) -> reply.accept(target.peerState()),
                    state -> peerAnswered(peer, state, askedAtMs),
                    () -> {},
                    () -> {});
        }
    }

    private NodeStanding.PeerState peerState() {
        return new NodeStanding.PeerState(
                standing != null && !standing.failing(), newestDatabaseMs);
    }

    private void peerAnswered(String peer, NodeStanding.PeerState state, long askedAtMs) {
        NodeStanding current = standing();
        if (current == null || !current.failing()) {
            return;
        }
        standing = current.peerAnswered(peer, state, askedAtMs);
        if (state.hasDatabase()) {
            heartbeat();
        }
        fenceIfNeeded();
    }

    private void janitor() {
        NodeStanding current = standing();
        if (current != null && !current.failing()) {
            process.transaction(
                    database -> {
                        database.janitor();
                        return true;
                    },
                    _ -> {},
                    () -> {});
        }
        process.post(JANITOR_MS, this::janitor);
    }

    @Nullable NodeRef lastKnownOwner(String stream) {
        return directory.get(stream);
    }

    void learned(String stream, NodeRef owner) {
        directory.put(stream, owner);
    }

    /** Writes of an owner, apart from heartbeats. */
    void write(String stream, Action action) {
        NodeRef node = self;
        if (node == null) {
            return;
        }
        Function<SimulatedDatabase, OwnerRow> body =
                database -> OwnerWrites.apply(database, node, stream, action);
        process.transaction(body, row -> streams.rowRead(row, node), () -> {});
    }
}
