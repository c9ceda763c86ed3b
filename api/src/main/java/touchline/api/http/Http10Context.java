package touchline.api.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;

/**
 * A connection with one request in HTTP/1.0: it reads as HTTP/1.1 and ends behind the request, and
 * its reply has no chunks. The connection's thread uses it.
 */
final class Http10Context extends ForwardingContext {
    Http10Context(ConnectionContext connection, Http1Config config) {
        super(
                connection,
                DataReader.create(
                        new Http10Request(
                                connection.dataReader(),
                                config.maxPrologueLength() + config.maxHeadersSize(),
                                host(connection.localPeer()))),
                new Http10Writer(connection.dataWriter()));
    }

    /** A request in HTTP/1.0 may lack the header Host. */
    private static String host(PeerInfo local) {
        String host = local.host();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + local.port();
    }
}
