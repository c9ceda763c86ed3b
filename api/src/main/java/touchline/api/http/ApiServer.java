package touchline.api.http;

import io.helidon.common.socket.SocketOptions;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http2.Http2Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.access.SignInCode;
import touchline.config.ApiConfig;
import touchline.config.ServerConfig;

/**
 * The listener of the control API and the console: HTTP/1.0, HTTP/1.1 and HTTP/2, with TLS if a
 * certificate is configured. One virtual thread per request. One thread starts and closes it.
 */
public final class ApiServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApiServer.class);

    private static final int MAX_REQUEST_LINE_BYTES = 16 * 1024;
    private static final int MAX_HEAD_BYTES = 32 * 1024;
    private static final int MAX_HTTP2_STREAMS = 100;

    /** Of the web server; {@link ApiDeadlines} ends connections earlier. */
    private static final Duration NO_IDLE_TIMEOUT = Duration.ofDays(1);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    /** A body that is too large is read and dropped up to this multiple of the limit. */
    private static final long DRAINED_BODIES = 16;

    private final WebServer server;
    private final InetSocketAddress address;
    private final ApiConnections connections;
    private final ApiRouting routing;

    private ApiServer(WebServer server, InetSocketAddress address, ApiRouting routing) {
        this.server = server;
        this.address = address;
        this.connections = routing.connections();
        this.routing = routing;
    }

    /**
     * Creates the listener without binding it.
     *
     * @param signIn a code that the console may exchange for a token
     * @throws IllegalArgumentException if a certificate, its key or a proxy's CIDR is unusable
     */
    public static ApiServer of(
            ServerConfig config, ApiDependencies dependencies, Optional<SignInCode> signIn) {
        return of(config, dependencies, signIn, ApiDeadlines.DEFAULT);
    }

    /** As {@link #of(ServerConfig, ApiDependencies, Optional)}, with other deadlines. */
    static ApiServer of(
            ServerConfig config,
            ApiDependencies dependencies,
            Optional<SignInCode> signIn,
            ApiDeadlines deadlines) {
        ApiConfig api = config.api();
        InetSocketAddress address = new InetSocketAddress(api.host(), api.port());
        SecurityHeaders securityHeaders = ControlApi.securityHeaders(config);
        ApiRouting routing =
                ControlApi.routing(
                        config, dependencies, ControlApi.console(config), signIn, deadlines);
        Http1Config http1 =
                Http1Config.builder()
                        .maxPrologueLength(MAX_REQUEST_LINE_BYTES)
                        .maxHeadersSize(MAX_HEAD_BYTES)
                        // Their logs contain all headers, with credentials.
                        .receiveLog(false)
                        .sendLog(false)
                        .addReceiveListener(new Http1Framing())
                        .build();
        Http2Config http2 =
                Http2Config.builder()
                        .maxHeaderListSize(MAX_HEAD_BYTES)
                        .maxConcurrentStreams(MAX_HTTP2_STREAMS)
                        .build();
        WebServerConfig.Builder builder =
                WebServer.builder()
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .bindAddress(address)
                        .maxPayloadSize(
                                Math.max(
                                        api.maxBodyBytes() * DRAINED_BODIES,
                                        2L * ImageRoutes.MAX_BYTES))
                        .idleConnectionTimeout(NO_IDLE_TIMEOUT)
                        .shutdownGracePeriod(STOP_TIMEOUT)
                        .connectionOptions(
                                new AcceptedSockets(
                                        // Small replies must not wait for the acknowledgement of
                                        // earlier ones.
                                        SocketOptions.builder().tcpNoDelay(true).build(),
                                        routing.connections()::accepted))
                        .protocolsDiscoverServices(false)
                        .contentEncoding(new UndecodedBodies())
                        .addConnectionSelector(
                                new GuardedSelector(routing.connections(), http1, http2))
                        .directHandlers(new TransportErrors(securityHeaders).handlers())
                        .routing(routing.build());
        dependencies
                .certificates()
                .current()
                .map(ServerSslContext::showing)
                .ifPresent(context -> builder.tls(tls -> tls.sslContext(context)));
        return new ApiServer(builder.build(), address, routing);
    }

    /**
     * Binds and serves.
     *
     * @throws UncheckedIOException if the address cannot be bound
     */
    public void start() {
        try {
            if (!WebServerStart.start(server, address)) {
                throw new IllegalStateException("api.host, api.port: cannot listen there");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("control API on " + address, e);
        }
        connections.start();
        log.info("control API listens on port {}{}", port(), server.hasTls() ? " with TLS" : "");
    }

    /** The bound port, for a configured port 0. */
    public int port() {
        return server.port();
    }

    /** The same routes for requests that other nodes of the cluster pass on. */
    public Consumer<HttpRouting.Builder> forNodes() {
        return routing.forNodes()::mount;
    }

    /** Refuses new connections, lets running requests end for a few seconds, then closes. */
    @Override
    public void close() {
        server.stop();
        connections.close();
    }
}
