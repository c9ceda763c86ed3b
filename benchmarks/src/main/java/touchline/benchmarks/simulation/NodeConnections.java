package touchline.benchmarks.simulation;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.OwnedStream;
import touchline.api.cluster.ownership.OwnedStream.Action;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.PublishAttempt;
import touchline.api.cluster.ownership.PublishAttempt.Reply;
import touchline.api.cluster.ownership.Registry;
import touchline.api.cluster.ownership.Step;
import touchline.api.cluster.ownership.Takeover;

/**
 * Connections that publish to a node, of encoders and of relays: runs the actions of {@link
 * PublishAttempt}. Owned by its node.
 */
final class NodeConnections {
    private static final long RELAY_TIMEOUT_MS = 5_000;
    private static final long IDLE_MS = 10_000;

    private final World world;
    private final SimulatedNode node;
    private final Map<String, Connection> connections = new TreeMap<>();
    private final Set<String> claiming = new HashSet<>();

    NodeConnections(World world, SimulatedNode node) {
        this.world = world;
        this.node = node;
    }

    /** Whether a claim of a stream is on its way. */
    boolean claiming(String stream) {
        return claiming.contains(stream);
    }

    void connected(SimulatedEncoder encoder, String id, String stream) {
        Connection connection = new Connection(id, stream, encoder, null);
        connections.put(id, connection);
        if (node.self() == null) {
            refuse(connection, PublishAttempt.Refusal.UNDECIDED);
            return;
        }
        run(connection, PublishAttempt.begin(node.process.nowMs()));
    }

    private void on(Connection connection, PublishAttempt.Message message) {
        PublishAttempt attempt = connection.attempt;
        if (attempt != null && connections.get(connection.id) == connection) {
            run(connection, attempt.on(message, node.process.nowMs(), world.times));
        }
    }

    private void run(Connection connection, Step<PublishAttempt, PublishAttempt.Action> step) {
        connection.attempt = step.state();
        if (step.state().state() == PublishAttempt.State.WAITING) {
            node.process.post(
                    world.times.lookMs(), () -> on(connection, new PublishAttempt.Message.Tick()));
        }
        for (PublishAttempt.Action action : step.actions()) {
            perform(connection, action);
        }
    }

    private void perform(Connection connection, PublishAttempt.Action action) {
        String stream = connection.stream;
        switch (action) {
            case PublishAttempt.Action.ReadRow() -> readRow(connection);
            case PublishAttempt.Action.TryClaim claim -> claim(connection, claim);
            case PublishAttempt.Action.AskOwner(NodeRef owner) -> askOwner(connection, owner);
            case PublishAttempt.Action.StoreWanted(long epoch) ->
                    node.process.transaction(
                            database -> {
                                database.wanted(stream, epoch, node.id);
                                return true;
                            },
                            _ -> {},
                            () -> {});
            case PublishAttempt.Action.StartOwning(Takeover.Verdict.Won won) -> {
                node.streams.start(won);
                serveHere(connection);
            }
            case PublishAttempt.Action.ServeHere() -> serveHere(connection);
            case PublishAttempt.Action.Refuse(PublishAttempt.Refusal reason) ->
                    refuse(connection, reason);
        }
    }

    private record RowAndLeases(OwnerRow row, Registry registry) {}

    private void readRow(Connection connection) {
        String stream = connection.stream;
        node.process.transaction(
                database -> new RowAndLeases(database.read(node.id, stream), database.registry()),
                read -> {
                    OwnerRow row = read.row;
                    NodeRef owner = row.owner();
                    boolean alive =
                            owner != null
                                    && read.registry.leaseOf(owner).good(read.registry.nowMs());
                    NodeRef self = Objects.requireNonNull(node.self());
                    on(
                            connection,
                            new PublishAttempt.Message.RowRead(
                                    row,
                                    self,
                                    node.streams.local(stream),
                                    alive,
                                    !node.draining()));
                },
                () -> databaseAway(connection));
    }

    private void databaseAway(Connection connection) {
        String stream = connection.stream;
        on(
                connection,
                new PublishAttempt.Message.DatabaseAway(
                        node.lastKnownOwner(stream),
                        Objects.requireNonNull(node.self()),
                        node.streams.local(stream)));
    }

    private record Decision(Takeover.Verdict verdict, long databaseMs) {}

    private void claim(Connection connection, PublishAttempt.Action.TryClaim action) {
        String stream = connection.stream;
        NodeStanding standing = Objects.requireNonNull(node.standing());
        Takeover.Claim claim =
                new Takeover.Claim(
                        Objects.requireNonNull(node.self()),
                        action.seenEpoch(),
                        standing.failing(),
                        action.connectionRefused(),
                        world.newSession(stream),
                        world.windowMs);
        claiming.add(stream);
        node.process.transaction(
                database -> new Decision(database.claim(stream, claim), database.nowMs()),
                decision -> {
                    node.sawDatabase(decision.databaseMs);
                    claiming.remove(stream);
                    on(connection, new PublishAttempt.Message.Decided(decision.verdict));
                },
                () -> {
                    claiming.remove(stream);
                    databaseAway(connection);
                });
    }

    private void askOwner(Connection connection, NodeRef owner) {
        SimulatedNode target = world.node(owner.id());
        node.process.<Reply>ask(
                target,
                (at, reply) -> reply.accept(at.connections.relayArrived(connection, node)),
                value -> {
                    if (value == Reply.ACCEPTED) {
                        connection.relayTo = target;
                        connection.relayAckMs = node.process.nowMs();
                        accepted(connection);
                    }
                    on(connection, new PublishAttempt.Message.Replied(value));
                },
                () -> on(connection, new PublishAttempt.Message.Replied(Reply.CONNECTION_REFUSED)),
                () -> on(connection, new PublishAttempt.Message.Replied(Reply.TIMED_OUT)));
    }

    /** A relay publishes here; it is never relayed again. */
    private Reply relayArrived(Connection from, SimulatedNode relay) {
        Connection connection = new Connection(from.id, from.stream, null, relay);
        Reply reply = publisherArrived(connection);
        if (reply == Reply.ACCEPTED) {
            connections.put(connection.id, connection);
        }
        return reply;
    }

    private Reply publisherArrived(Connection connection) {
        List<Action> actions =
                node.streams.on(
                        connection.stream, new OwnedStream.Message.PublisherArrived(connection.id));
        for (Action each : actions) {
            if (each instanceof Action.AcceptPublisher) {
                return Reply.ACCEPTED;
            }
            if (each instanceof Action.RefusePublisher refuse && refuse.sending()) {
                return Reply.SENDING;
            }
        }
        return Reply.NOT_OWNER;
    }

    private void serveHere(Connection connection) {
        Reply reply = publisherArrived(connection);
        if (reply == Reply.ACCEPTED) {
            accepted(connection);
        }
        on(connection, new PublishAttempt.Message.Replied(reply));
    }

    private void accepted(Connection connection) {
        SimulatedEncoder encoder = connection.encoder;
        if (encoder != null) {
            world.toClient(() -> encoder.accepted(connection.id));
        }
    }

    private void refuse(Connection connection, PublishAttempt.Refusal reason) {
        world.trace("%s refuses %s: %s", node.id, connection.id, reason);
        connections.remove(connection.id);
        if (reason == PublishAttempt.Refusal.UNDECIDED) {
            world.refusedUndecided(connection.stream);
        }
        SimulatedEncoder encoder = connection.encoder;
        if (encoder != null) {
            world.toClient(() -> encoder.refused(connection.id));
        }
    }

    /** Media of an encoder that is connected here. */
    void media(String id) {
        Connection connection = connections.get(id);
        if (connection == null) {
            return;
        }
        SimulatedEncoder encoder = connection.encoder;
        if (encoder != null) {
            world.toClient(() -> encoder.acknowledged(id));
        }
        PublishAttempt attempt = Objects.requireNonNull(connection.attempt);
        SimulatedNode relayTo = connection.relayTo;
        if (attempt.state() == PublishAttempt.State.SERVED) {
            publisherMedia(connection);
        } else if (attempt.state() == PublishAttempt.State.RELAYED && relayTo != null) {
            world.network.send(
                    node.index,
                    relayTo.index,
                    () ->
                            relayTo.process.deliver(
                                    () -> relayTo.connections.relayedMedia(id, node)));
        }
    }

    private void publisherMedia(Connection connection) {
        if (node.streams.publishes(connection)) {
            node.streams.publish(connection.stream);
        }
    }

    private void relayedMedia(String id, SimulatedNode relay) {
        Connection connection = connections.get(id);
        boolean known = connection != null && connection.relayFrom == relay;
        if (connection != null && known) {
            publisherMedia(connection);
        }
        world.network.send(
                node.index,
                relay.index,
                () -> relay.process.deliver(() -> relay.connections.relayAnswered(id, known)));
    }

    private void relayAnswered(String id, boolean known) {
        Connection connection = connections.get(id);
        if (connection == null) {
            return;
        }
        connection.relayAckMs = node.process.nowMs();
        if (!known) {
            relayLost(connection);
        }
    }

    private void relayLost(Connection connection) {
        if (connection.relayTo != null) {
            connection.relayTo = null;
            on(connection, new PublishAttempt.Message.RelayLost());
        }
    }

    /** The encoder closed its connection. */
    void closed(String id) {
        Connection connection = connections.remove(id);
        if (connection == null) {
            return;
        }
        publisherLeft(connection);
        SimulatedNode relayTo = connection.relayTo;
        if (relayTo != null) {
            world.network.send(
                    node.index,
                    relayTo.index,
                    () -> relayTo.process.deliver(() -> relayTo.connections.relayClosed(id, node)));
        }
    }

    private void relayClosed(String id, SimulatedNode relay) {
        Connection connection = connections.get(id);
        if (connection != null && connection.relayFrom == relay) {
            connections.remove(id);
            publisherLeft(connection);
        }
    }

    private void publisherLeft(Connection connection) {
        node.streams.on(connection.stream, new OwnedStream.Message.PublisherLeft(connection.id));
    }

    /** This node ends a connection. */
    void cut(String id) {
        Connection connection = connections.remove(id);
        if (connection == null) {
            return;
        }
        SimulatedEncoder encoder = connection.encoder;
        SimulatedNode relay = connection.relayFrom;
        if (encoder != null) {
            world.toClient(() -> encoder.cut(id));
        } else if (relay != null) {
            world.network.send(
                    node.index,
                    relay.index,
                    () -> relay.process.deliver(() -> relay.connections.relayAnswered(id, false)));
        }
    }

    void tick() {
        for (Connection each : List.copyOf(connections.values())) {
            if (each.relayTo != null && node.process.nowMs() - each.relayAckMs > RELAY_TIMEOUT_MS) {
                relayLost(each);
            }
        }
        node.streams.cutIdle(IDLE_MS);
    }

    /**
     * The process is over, or starts anew as an incarnation.
     *
     * @param resets whether the other ends notice
     */
    void clear(boolean resets) {
        for (Connection each : List.copyOf(connections.values())) {
            SimulatedNode relayTo = each.relayTo;
            if (resets && relayTo != null) {
                world.network.send(
                        node.index,
                        relayTo.index,
                        () ->
                                relayTo.process.deliver(
                                        () -> relayTo.connections.relayClosed(each.id, node)));
            }
            if (resets) {
                cut(each.id);
            }
        }
        connections.clear();
        node.streams.clear();
        claiming.clear();
    }
}
