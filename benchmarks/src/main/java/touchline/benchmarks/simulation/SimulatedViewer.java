package touchline.benchmarks.simulation;

import java.util.HashMap;
import java.util.Map;
import touchline.api.cluster.ownership.NodeRef;

/** A viewer: asks any node for what is behind the newest part it has; the node asks the owner. */
final class SimulatedViewer {
    private static final long POLL_MS = 900;

    private final World world;
    private final String stream;
    private final Map<String, Long> newest = new HashMap<>();
    private String session = "";

    SimulatedViewer(World world, String stream) {
        this.world = world;
        this.stream = stream;
    }

    void start() {
        world.time.after(world.random.nextInt((int) POLL_MS), this::poll);
    }

    private void poll() {
        world.time.after(POLL_MS, this::poll);
        SimulatedNode edge = world.nodes.get(world.random.nextInt(world.nodes.size()));
        String asked = session;
        long position = newest.getOrDefault(asked, -1L);
        edge.process.deliver(() -> atEdge(edge, asked, position));
    }

    private void atEdge(SimulatedNode edge, String asked, long position) {
        NodeRef owner = edge.lastKnownOwner(stream);
        if (owner == null) {
            return;
        }
        if (owner.id().equals(edge.id)) {
            edge.streams.answer(stream, asked, position, this::received);
            return;
        }
        edge.process.<NodeStreams.ViewerAnswer>ask(
                world.node(owner.id()),
                (at, reply) -> at.streams.answer(stream, asked, position, reply),
                answer -> world.toClient(() -> received(answer)),
                () -> {},
                () -> {});
    }

    private void received(NodeStreams.ViewerAnswer answer) {
        for (Map.Entry<Long, Long> each : answer.parts()) {
            world.judge.seen(answer.session(), each.getKey(), each.getValue());
            newest.merge(answer.session(), each.getKey(), Math::max);
        }
        if (!answer.parts().isEmpty()) {
            session = answer.session();
        }
    }
}
