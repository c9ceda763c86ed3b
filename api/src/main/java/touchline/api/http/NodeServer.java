package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.common.socket.SocketOptions;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.NodeCalls;
import touchline.api.cluster.NodeClient;
import touchline.api.cluster.NodeSignature;
import touchline.api.cluster.WakeUp;
import touchline.api.db.ClusterChanges;
import touchline.api.db.ClusterChanges.Kind;
import touchline.api.domain.ViewerCounts;
import touchline.config.ClusterConfig;
import touchline.media.tls.CurrentCertificate;

/**
 * The listener of a node for the other nodes of its cluster: HTTP/1.1, with TLS if a certificate is
 * configured. Only signed requests are answered. One virtual thread per request; one thread starts
 * and closes it.
 */
public final class NodeServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NodeServer.class);

    private static final int MAX_REQUEST_LINE_BYTES = 16 * 1024;
    private static final int MAX_HEAD_BYTES = 32 * 1024;
    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final int MAX_CONNECTIONS = 2_000;

    /** Longer than clients keep a connection: it must not end while a request is on its way. */
    private static final Duration IDLE = Duration.ofMinutes(2);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

    private final InetSocketAddress address;
    private final WebServer server;

    /**
     * Creates the listener without binding it.
     *
     * @param config its host and port
     * @param signature checks those of other nodes
     * @param api adds the routes of requests that other nodes pass on
     */
    public NodeServer(
            ClusterConfig config,
            NodeSignature signature,
            NodeCalls calls,
            Consumer<HttpRouting.Builder> api,
            Optional<CurrentCertificate> certificate) {
        this.address = new InetSocketAddress(config.host(), config.port());
        WebServerConfig.Builder builder =
                WebServer.builder()
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .bindAddress(address)
                        .maxTcpConnections(MAX_CONNECTIONS)
                        .maxPayloadSize(MAX_BODY_BYTES)
                        .idleConnectionTimeout(IDLE)
                        .shutdownGracePeriod(STOP_TIMEOUT)
                        .connectionOptions(SocketOptions.builder().tcpNoDelay(true).build())
                        .addProtocol(
                                Http1Config.builder()
                                        .maxPrologueLength(MAX_REQUEST_LINE_BYTES)
                                        .maxHeadersSize(MAX_HEAD_BYTES)
                                        // Their logs contain all headers, with credentials.
                                        .receiveLog(false)
                                        .sendLog(false)
                                        .build())
                        .routing(routing(signature, calls, api));
        certificate
                .map(ServerSslContext::showing)
                .ifPresent(context -> builder.tls(tls -> tls.sslContext(context)));
        this.server = builder.build();
    }

    private static HttpRouting.Builder routing(
            NodeSignature signature, NodeCalls calls, Consumer<HttpRouting.Builder> api) {
        HttpRouting.Builder routing = HttpRouting.builder();
        routing.addFilter((chain, request, response) -> check(signature, chain, request, response))
                .get(
                        NodeClient.STATE,
                        (_, response) ->
                                response.header(HeaderNames.CONTENT_TYPE, "application/json")
                                        .send(calls.report().toJson().toString()))
                .get(
                        NodeClient.VIEWERS,
                        (_, response) ->
                                response.header(HeaderNames.CONTENT_TYPE, "application/json")
                                        .send(json(calls.viewers()).toString()))
                .get(
                        NodeClient.SIGNALS,
                        (_, response) ->
                                response.header(HeaderNames.CONTENT_TYPE, "application/json")
                                        .send(calls.signals().toString()))
                .post(
                        NodeClient.CHANGES,
                        (request, response) -> response.status(changed(request, calls)).send())
                .post(
                        NodeClient.WAKE,
                        (request, response) -> {
                            calls.woken(work(request));
                            response.send();
                        });
        // Last: it answers every path.
        api.accept(routing);
        return routing;
    }

    private static JsonNode json(ViewerCounts viewers) {
        ObjectNode json = Json.object().put("total", viewers.total());
        ObjectNode streams = json.putObject("streams");
        viewers.byStream().forEach((stream, count) -> streams.put(stream.value(), count));
        return json;
    }

    /** A kind that only a newer version knows concerns nothing that this node holds. */
    private static Status changed(ServerRequest request, NodeCalls calls) {
        JsonNode body = body(request);
        boolean applied =
                Kind.of(body.path("kind").asText())
                        .map(kind -> row(kind, body))
                        .map(calls::changed)
                        .orElse(true);
        return applied ? Status.OK_200 : Status.INTERNAL_SERVER_ERROR_500;
    }

    private static ClusterChanges.Row row(Kind kind, JsonNode body) {
        return new ClusterChanges.Row(
                body.path("id").asLong(), kind, body.path("subject").asText());
    }

    private static Set<WakeUp> work(ServerRequest request) {
        Set<WakeUp> work = EnumSet.noneOf(WakeUp.class);
        body(request).path("work").forEach(it -> WakeUp.of(it.asText()).ifPresent(work::add));
        return work;
    }

    private static JsonNode body(ServerRequest request) {
        return Json.parse(request.content().as(byte[].class));
    }

    /** Answers 401 without a good signature. */
    private static void check(
            NodeSignature signature,
            FilterChain chain,
            RoutingRequest request,
            RoutingResponse response) {
        boolean isSigned =
                request.headers()
                        .first(HeaderNames.create(NodeSignature.HEADER))
                        .flatMap(
                                given ->
                                        signature.verify(
                                                given,
                                                request.prologue().method().text(),
                                                target(request.prologue())))
                        .isPresent();
        if (isSigned) {
            chain.proceed();
        } else {
            log.debug("a request without a good signature of a node is refused");
            response.status(Status.UNAUTHORIZED_401).send();
        }
    }

    /** Path and query as sent. */
    static String target(HttpPrologue request) {
        String path = request.uriPath().rawPath();
        String query = request.query().rawValue();
        return query.isEmpty() ? path : path + "?" + query;
    }

    /**
     * Binds and serves.
     *
     * @throws UncheckedIOException if the address cannot be bound
     */
    public void start() {
        try {
            if (!WebServerStart.start(server, address)) {
                throw new IllegalStateException("cluster.host, cluster.port: cannot listen there");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("port for nodes on " + address, e);
        }
        log.info("other nodes reach this one at port {}", port());
    }

    /** The bound port. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }
}
