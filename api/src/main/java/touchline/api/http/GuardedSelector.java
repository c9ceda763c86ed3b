package touchline.api.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http2.Http2Config;
import io.helidon.webserver.http2.Http2ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates every connection of the control API, with its deadlines. HTTP/2 is chosen in the TLS
 * handshake only: without TLS every connection has HTTP/1.1 or HTTP/1.0. Any thread.
 */
final class GuardedSelector implements ServerConnectionSelector {
    private static final String HTTP2 = "h2";

    private final ApiConnections connections;
    private final Http10Selector http1;
    private final Http2ConnectionSelector http2;

    GuardedSelector(ApiConnections connections, Http1Config http1, Http2Config http2) {
        this.connections = connections;
        this.http1 = new Http10Selector(http1);
        this.http2 = Http2ConnectionSelector.builder().http2Config(http2).build();
    }

    @Override
    public int bytesToIdentifyConnection() {
        return 0;
    }

    /** The only selector takes every connection. */
    @Override
    public Support supports(BufferData data) {
        return Support.SUPPORTED;
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return Set.of(HTTP2, "http/1.1", "http/1.0");
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        ApiConnection deadlines = connections.of(context);
        if (context.serverSocket().protocolNegotiated()
                && context.serverSocket().protocol().equals(HTTP2)) {
            Http2FrameLimits frames = new Http2FrameLimits(deadlines, System::nanoTime);
            ReceivedBytes received = new ReceivedBytes(context.dataReader(), frames::received);
            return guarded(
                    context, http2.connection(reading(context, received)), deadlines, received);
        }
        ReceivedBytes received = new ReceivedBytes(context.dataReader(), _ -> deadlines.received());
        return guarded(
                context, http1.connection(reading(context, whole(received))), deadlines, received);
    }

    /** The web server takes an end within a request for an error of its own. */
    private static Supplier<byte @Nullable []> whole(ReceivedBytes received) {
        return () -> {
            byte[] bytes = received.get();
            if (bytes == null) {
                throw new CloseConnectionException("the client has ended the connection");
            }
            return bytes;
        };
    }

    private ServerConnection guarded(
            ConnectionContext context,
            ServerConnection connection,
            ApiConnection deadlines,
            ReceivedBytes received) {
        return new GuardedConnection(
                connection,
                deadlines,
                received,
                context.isSecure(),
                () -> connections.ended(deadlines));
    }

    private static ConnectionContext reading(
            ConnectionContext context, Supplier<byte @Nullable []> received) {
        return new ForwardingContext(context, DataReader.create(received), context.dataWriter());
    }
}
