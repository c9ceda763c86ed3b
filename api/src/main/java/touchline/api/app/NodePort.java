package touchline.api.app;

import java.util.Optional;
import touchline.api.http.NodeServer;

/** The port of this node for the other nodes. One thread opens and closes it. */
final class NodePort implements AutoCloseable {
    private final Optional<NodeServer> server;
    private final Runnable publish;

    /**
     * @param server owned
     * @param publish says where this node is reached, and reads what it has missed
     */
    NodePort(NodeServer server, Runnable publish) {
        this(Optional.of(server), publish);
    }

    private NodePort(Optional<NodeServer> server, Runnable publish) {
        this.server = server;
        this.publish = publish;
    }

    /** Of a server without a cluster. */
    static NodePort none() {
        return new NodePort(Optional.empty(), () -> {});
    }

    /** Binds, and lets other nodes know. Called before the other listeners are open. */
    void start() {
        server.ifPresent(NodeServer::start);
        publish.run();
    }

    @Override
    public void close() {
        server.ifPresent(NodeServer::close);
    }
}
