package touchline.api.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.http1.Http1Config;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * A connection with one request in HTTP/1.0: it reads as HTTP/1.1 and ends behind the request, and
 * its reply has no chunks. The connection's thread uses it.
 */
final class Http10Context implements ConnectionContext {
    private final ConnectionContext connection;
    private final DataReader reader;
    private final DataWriter writer;

    Http10Context(ConnectionContext connection, Http1Config config) {
        this.connection = connection;
        this.reader =
                DataReader.create(
                        new Http10Request(
                                connection.dataReader(),
                                config.maxPrologueLength() + config.maxHeadersSize(),
                                host(connection.localPeer())));
        this.writer = new Http10Writer(connection.dataWriter());
    }

    /** A request in HTTP/1.0 may lack the header Host. */
    private static String host(PeerInfo local) {
        String host = local.host();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + local.port();
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public DataWriter dataWriter() {
        return writer;
    }

    @Override
    public ListenerContext listenerContext() {
        return connection.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return connection.executor();
    }

    @Override
    public Router router() {
        return connection.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return connection.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return connection.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return connection.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return connection.localPeer();
    }

    @Override
    public boolean isSecure() {
        return connection.isSecure();
    }

    @Override
    public String socketId() {
        return connection.socketId();
    }

    @Override
    public String childSocketId() {
        return connection.childSocketId();
    }
}
