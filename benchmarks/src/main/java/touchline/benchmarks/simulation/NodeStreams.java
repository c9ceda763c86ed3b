package touchline.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.OwnedStream;
import touchline.api.cluster.ownership.OwnedStream.Action;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.PublishAttempt;
import touchline.api.cluster.ownership.Step;
import touchline.api.cluster.ownership.Takeover;

/**
 * Streams that a node owns: runs the actions of {@link OwnedStream} and answers viewers. Owned by
 * its node.
 */
final class NodeStreams {

    private final World world;
    private final SimulatedNode node;
    private final Map<String, SimulatedStream> owned = new TreeMap<>();

    NodeStreams(World world, SimulatedNode node) {
        this.world = world;
        this.node = node;
    }

    // ---- owned streams

    void all(OwnedStream.Message message) {
        for (String stream : List.copyOf(owned.keySet())) {
            on(stream, message);
        }
    }

    /** Messages to each stream before a heartbeat; returns what goes out with it. */
    List<SimulatedDatabase.Raise> heartbeatDue() {
        List<SimulatedDatabase.Raise> raises = new ArrayList<>();
        for (SimulatedStream each : List.copyOf(owned.values())) {
            Step<OwnedStream, Action> step =
                    each.on(
                            new OwnedStream.Message.HeartbeatDue(),
                            node.process.nowMs(),
                            world.times);
            for (Action action : step.actions()) {
                if (action instanceof Action.RaiseFloor raise) {
                    raises.add(new SimulatedDatabase.Raise(each.id, raise));
                } else {
                    perform(each.id, action);
                }
            }
        }
        return raises;
    }

    Map<String, Long> newest() {
        Map<String, Long> newest = new TreeMap<>();
        owned.values().forEach(each -> newest.put(each.id, each.owned.newest()));
        return newest;
    }

    void rowRead(OwnerRow row, NodeRef self) {
        String stream = row.streamId();
        if (owned.containsKey(stream)) {
            on(stream, new OwnedStream.Message.RowRead(row, self));
        } else if (self.equals(row.owner())
                && !node.connections.claiming(stream)
                && world.variant != Variant.UNHELD_ROWS_STAY) {
            node.write(stream, OwnedStream.unheld(row, world.windowMs));
        }
    }

    List<Action> on(String stream, OwnedStream.Message message) {
        SimulatedStream held = owned.get(stream);
        if (held == null) {
            return List.of();
        }
        Step<OwnedStream, Action> step = held.on(message, node.process.nowMs(), world.times);
        step.actions().forEach(each -> perform(stream, each));
        return step.actions();
    }

    private void perform(String stream, Action action) {
        switch (action) {
            case Action.AcceptPublisher _, Action.RefusePublisher _ -> {
                // Returned to the caller by on().
            }
            case Action.CutPublisher(String connection) -> node.connections.cut(connection);
            case Action.DropSession() -> {
                world.trace("%s drops %s", node.id, stream);
                owned.remove(stream);
            }
            case Action.RaiseFloor _,
                    Action.StorePublishing _,
                    Action.StoreInterrupted _,
                    Action.Release _,
                    Action.EndSession _,
                    Action.AnswerSending _ ->
                    node.write(stream, action);
        }
    }

    /** Media for a stream that is owned here: the next part. */
    void publish(String stream) {
        on(stream, new OwnedStream.Message.MediaArrived());
        SimulatedStream held = owned.get(stream);
        NodeStanding standing = node.standing();
        if (held == null || standing == null || !held.owned.answers(standing)) {
            return;
        }
        long position = held.nextPart(standing, node.process.nowMs(), world.judge);
        if (position < 0) {
            on(stream, new OwnedStream.Message.NumberBlocked());
            return;
        }
        world.programmeWentOn(stream);
        // Packaging takes a moment, in which the process may be stopped.
        node.process.post(world.random.nextInt(3), () -> held.publish(position));
    }

    /** Asks for the first parts behind a position; no answer where this node does not answer. */
    void answer(String stream, String session, long position, Consumer<ViewerAnswer> reply) {
        SimulatedStream held = owned.get(stream);
        NodeStanding standing = node.standing();
        if (held == null || standing == null || !held.owned.answers(standing)) {
            return;
        }
        OwnedStream current = held.owned;
        long from = current.sessionId().equals(session) ? position : -1;
        List<Map.Entry<Long, Long>> parts = new ArrayList<>();
        Map.Entry<Long, Long> next = held.behind(from);
        while (next != null && parts.size() < 4) {
            parts.add(next);
            next = held.behind(next.getKey());
        }
        world.checkAnswer(node, current, standing);
        ViewerAnswer answer = new ViewerAnswer(current.sessionId(), parts);
        node.process.post(world.random.nextInt(3), () -> reply.accept(answer));
    }

    /** Parts for a viewer: position to content. */
    record ViewerAnswer(String session, List<Map.Entry<Long, Long>> parts) {}

    // ---- for connections

    void start(Takeover.Verdict.Won won) {
        OwnerRow row = won.row();
        String stream = row.streamId();
        OwnedStream begun = OwnedStream.claimed(won, world.windowMs, node.process.nowMs());
        owned.put(stream, new SimulatedStream(stream, begun));
        node.learned(stream, Objects.requireNonNull(row.owner()));
    }

    PublishAttempt.Local local(String stream) {
        if (node.connections.claiming(stream)) {
            return PublishAttempt.Local.CLAIMING;
        }
        SimulatedStream held = owned.get(stream);
        return held != null && held.owned.state() == OwnedStream.State.OWNED
                ? PublishAttempt.Local.HELD
                : PublishAttempt.Local.NONE;
    }

    boolean publishes(Connection connection) {
        SimulatedStream held = owned.get(connection.stream);
        return held != null && connection.id.equals(held.owned.publisher());
    }

    /** Ends publishers that have sent nothing for a while. */
    void cutIdle(long idleMs) {
        for (SimulatedStream each : List.copyOf(owned.values())) {
            String publisher = each.owned.publisher();
            if (publisher != null && node.process.nowMs() - each.owned.lastMediaMs() > idleMs) {
                node.connections.cut(publisher);
                on(each.id, new OwnedStream.Message.PublisherLeft(publisher));
            }
        }
    }

    void clear() {
        owned.clear();
    }
}
