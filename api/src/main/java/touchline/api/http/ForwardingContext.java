package touchline.api.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** A connection with another reader or writer. The connection's thread uses it. */
class ForwardingContext implements ConnectionContext {
    private final ConnectionContext connection;
    private final DataReader reader;
    private final DataWriter writer;

    ForwardingContext(ConnectionContext connection, DataReader reader, DataWriter writer) {
        this.connection = connection;
        this.reader = reader;
        this.writer = writer;
    }

    @Override
    public final DataReader dataReader() {
        return reader;
    }

    @Override
    public final DataWriter dataWriter() {
        return writer;
    }

    @Override
    public final ListenerContext listenerContext() {
        return connection.listenerContext();
    }

    @Override
    public final ExecutorService executor() {
        return connection.executor();
    }

    @Override
    public final Router router() {
        return connection.router();
    }

    @Override
    public final Optional<ProxyProtocolData> proxyProtocolData() {
        return connection.proxyProtocolData();
    }

    @Override
    public final HelidonSocket serverSocket() {
        return connection.serverSocket();
    }

    @Override
    public final PeerInfo remotePeer() {
        return connection.remotePeer();
    }

    @Override
    public final PeerInfo localPeer() {
        return connection.localPeer();
    }

    @Override
    public final boolean isSecure() {
        return connection.isSecure();
    }

    @Override
    public final String socketId() {
        return connection.socketId();
    }

    @Override
    public final String childSocketId() {
        return connection.childSocketId();
    }
}
