package touchline.benchmarks.simulation;

import org.jspecify.annotations.Nullable;

/** An encoder: connects to any node, sends, notices a lost connection, and comes back. */
final class SimulatedEncoder {
    private static final long MEDIA_MS = 500;
    private static final long NO_ANSWER_MS = 12_000;
    private static final long NO_HOST_MS = 3_000;

    private final World world;
    private final String stream;
    private final String name;
    private int connections;
    private @Nullable String connection;
    private @Nullable SimulatedNode node;
    private boolean accepted;
    private boolean wanted;
    private long acknowledgedAtMs;
    private long tryingSinceMs = -1;

    SimulatedEncoder(World world, String stream, String name) {
        this.world = world;
        this.stream = stream;
        this.name = name;
    }

    void start() {
        if (!wanted) {
            wanted = true;
            connect();
        }
    }

    void stop() {
        wanted = false;
        disconnect();
    }

    /** Its connection breaks; the node notices, too. */
    void drop() {
        if (connection != null) {
            disconnect();
            later();
        }
    }

    boolean sending() {
        return accepted;
    }

    String stream() {
        return stream;
    }

    private void connect() {
        if (!wanted || connection != null) {
            return;
        }
        SimulatedNode target = world.nodes.get(world.random.nextInt(world.nodes.size()));
        if (!target.process.hostUp()) {
            world.time.after(NO_HOST_MS, this::connect);
            return;
        }
        if (!target.process.up() || (target.self() == null && world.random.nextInt(4) != 0)) {
            // The balancer, or the encoder's second address, is at once the next one.
            world.time.after(100, this::connect);
            return;
        }
        String id = name + "/" + ++connections;
        if (tryingSinceMs < 0) {
            tryingSinceMs = world.time.nowMs();
        }
        world.trace("%s connects to %s", id, target.id);
        connection = id;
        node = target;
        accepted = false;
        target.process.deliver(() -> target.connections.connected(this, id, stream));
        world.time.after(
                NO_ANSWER_MS,
                () -> {
                    if (id.equals(connection) && !accepted) {
                        disconnect();
                        later();
                    }
                });
    }

    void accepted(String id) {
        if (!id.equals(connection) || accepted) {
            return;
        }
        world.trace("%s is accepted", id);
        world.encoderAccepted(stream, world.time.nowMs() - tryingSinceMs);
        tryingSinceMs = -1;
        accepted = true;
        acknowledgedAtMs = world.time.nowMs();
        send(id);
    }

    void refused(String id) {
        if (id.equals(connection)) {
            connection = null;
            accepted = false;
            later();
        }
    }

    /** The node closed the connection, or its process ended. */
    void cut(String id) {
        if (id.equals(connection)) {
            world.trace("%s is cut", id);
            world.encoderCut();
            connection = null;
            accepted = false;
            later();
        }
    }

    void acknowledged(String id) {
        if (id.equals(connection)) {
            acknowledgedAtMs = world.time.nowMs();
        }
    }

    private void later() {
        world.time.after(1_000 + world.random.nextInt(1_000), this::connect);
    }

    private void disconnect() {
        String id = connection;
        SimulatedNode from = node;
        connection = null;
        accepted = false;
        if (id != null && from != null) {
            world.toClient(() -> from.process.deliver(() -> from.connections.closed(id)));
        }
    }

    private void send(String id) {
        SimulatedNode to = node;
        if (!id.equals(connection) || to == null) {
            return;
        }
        if (world.time.nowMs() - acknowledgedAtMs > world.encoderPatienceMs) {
            world.trace("%s gives up", id);
            disconnect();
            later();
            return;
        }
        world.time.after(3, () -> to.process.deliver(() -> to.connections.media(id)));
        world.time.after(MEDIA_MS, () -> send(id));
    }
}
