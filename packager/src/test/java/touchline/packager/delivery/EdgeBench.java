package touchline.packager.delivery;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import touchline.config.PlaybackConfig;
import touchline.media.decoding.GopDecoders;
import touchline.packager.edge.Edge;
import touchline.packager.edge.UpstreamAddress;
import touchline.packager.thumbnail.Thumbnails;

/** Two playback servers on loopback: an owner with sessions, and an edge that has none. */
final class EdgeBench implements AutoCloseable {
    static final String SUBJECT = "stream";
    private static final int MAX_CONNECTIONS = 20_000;

    final NettyMediaMemory ownerMemory = new NettyMediaMemory();
    final NettyMediaMemory edgeMemory = new NettyMediaMemory();
    final AtomicLong skippedNs = new AtomicLong();
    final AtomicBoolean slowClock = new AtomicBoolean();
    private final AtomicLong frozenNs = new AtomicLong();
    final Access ownerAccess = new Access();
    final Access edgeAccess = new Access();
    final Edge edge;
    final DeliveryCounters ownerCounters = new DeliveryCounters();
    final DeliveryCounters edgeCounters = new DeliveryCounters();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private PlaybackServer owner;
    private final PlaybackServer server;

    /** Where the edge looks for the owner. */
    volatile Optional<UpstreamAddress> address;

    /** Decisions of one server, which a test may change. */
    static final class Access implements PlaybackAccess {
        volatile PlaybackDecision forViewers = PlaybackDecision.Refused.NOT_FOUND;
        volatile PlaybackDecision forNodes = PlaybackDecision.Refused.NOT_FOUND;
        volatile FrameDecision frame = FrameDecision.Refused.NOT_FOUND;

        @Override
        public CompletionStage<PlaybackDecision> resolve(PlaybackRequest request) {
            return CompletableFuture.completedFuture(forViewers);
        }

        @Override
        public CompletionStage<PlaybackDecision> resolveForNode(PlaybackRequest request) {
            return CompletableFuture.completedFuture(forNodes);
        }

        @Override
        public CompletionStage<FrameDecision> frame(FrameRequest request) {
            return CompletableFuture.completedFuture(frame);
        }
    }

    /** Says for which kind of client it is. */
    private static final WatchPages PAGES =
            new WatchPages() {
                @Override
                public CompletionStage<PageDecision> page(PageRequest request) {
                    return page("for a viewer");
                }

                @Override
                public CompletionStage<PageDecision> stateForNode(String playbackId) {
                    return page("for a node: " + playbackId);
                }

                private static CompletionStage<PageDecision> page(String text) {
                    return CompletableFuture.completedFuture(
                            new PageDecision.Page("text/plain", text, "", true));
                }

                @Override
                public CompletionStage<Optional<PageFile>> file(String path) {
                    return CompletableFuture.completedFuture(Optional.empty());
                }
            };

    /** Signs with a word that names the request. */
    private static String signature(String method, String target) {
        return "node:" + method + " " + target;
    }

    private static final NodeAccess NODES =
            new NodeAccess() {
                @Override
                public boolean isSigned(String signature, String method, String target) {
                    return signature.equals(signature(method, target));
                }

                @Override
                public boolean isNode(InetAddress address) {
                    return true;
                }
            };

    EdgeBench(long cacheBytes) throws IOException {
        edge = edge(edgeMemory, cacheBytes);
        owner = ownerAt(0);
        address = Optional.of(at(owner.port()));
        server = server(0, edgeAccess, edgeCounters, edge);
        edgeAccess.forViewers = remote(/* restricted= */ false, Optional.empty());
    }

    private static UpstreamAddress at(int port) {
        return new UpstreamAddress("127.0.0.1", port, /* secure= */ false);
    }

    private Edge edge(NettyMediaMemory memory, long cacheBytes) {
        return new Edge(
                new Edge.Dependencies(
                        (_, _) -> CompletableFuture.completedFuture(address),
                        EdgeBench::signature,
                        memory,
                        Optional.empty(),
                        cacheBytes,
                        this::nanoTime));
    }

    /** The clock of the edge stands still: what is fresh stays so. */
    void freeze() {
        frozenNs.set(nanoTime());
    }

    private long nanoTime() {
        if (frozenNs.get() != 0) {
            return frozenNs.get();
        }
        if (slowClock.get()) {
            skip(2);
        }
        return System.nanoTime() + skippedNs.get();
    }

    private PlaybackServer ownerAt(int port) throws IOException {
        return server(port, ownerAccess, ownerCounters, edge(ownerMemory, 1));
    }

    private static PlaybackServer server(
            int port, PlaybackAccess access, DeliveryCounters counters, Edge edge)
            throws IOException {
        DeliveryLimits limits = ServerBench.patient();
        PlaybackConfig config =
                new PlaybackConfig(
                        "127.0.0.1",
                        port,
                        MAX_CONNECTIONS,
                        0,
                        limits.idle(),
                        limits.head(),
                        100,
                        8 << 20);
        DeliveryContext context =
                new DeliveryContext(
                        access,
                        () -> limits,
                        counters,
                        new ResponseHeaders(InstantSource.system()),
                        new ViewerAddress(List.of()),
                        System::nanoTime,
                        Thumbnails.of(100, 8 << 20, GopDecoders.LOCAL, (_, _) -> {}));
        PlaybackServer made =
                new PlaybackServer(
                        () -> config,
                        context.with(PAGES, context.audience())
                                .with(new ClusterPlayback(NODES, edge)),
                        Optional.empty(),
                        _ -> true);
        made.start();
        return made;
    }

    /** What viewers of the edge get: what its owner has. */
    PlaybackDecision remote(boolean restricted, Optional<String> grant) {
        return new PlaybackDecision.Remote(
                edge.media(SUBJECT, "id"), restricted, grant, Optional.empty());
    }

    /** The owner shows this to its viewers, and to nodes without a grant. */
    void owns(PlaybackDecision decision) {
        ownerAccess.forViewers = decision;
        ownerAccess.forNodes =
                decision instanceof PlaybackDecision.Live live
                        ? new PlaybackDecision.Live(
                                live.sessions(),
                                live.running(),
                                live.restricted(),
                                Optional.empty())
                        : decision;
    }

    void ownerGone() {
        owner.close();
    }

    /** At another port. */
    void ownerBack() throws IOException {
        owner = ownerAt(0);
        address = Optional.of(at(owner.port()));
    }

    /** The clock of the edge goes on. */
    void skip(long seconds) {
        skippedNs.addAndGet(seconds * 1_000_000_000L);
    }

    int edgePort() {
        return server.port();
    }

    HttpResponse<byte[]> atOwner(String target, String... headers) {
        return get(owner.port(), "GET", target, headers).join();
    }

    HttpResponse<byte[]> atEdge(String target, String... headers) {
        return get(server.port(), "GET", target, headers).join();
    }

    CompletableFuture<HttpResponse<byte[]>> heldAtEdge(String target, String... headers) {
        return get(server.port(), "GET", target, headers);
    }

    HttpResponse<byte[]> head(boolean atEdge, String target) {
        return get(atEdge ? server.port() : owner.port(), "HEAD", target).join();
    }

    private CompletableFuture<HttpResponse<byte[]>> get(
            int port, String method, String target, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                        .method(method, HttpRequest.BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** All but what differs from answer to answer. */
    static Map<String, List<String>> headers(HttpResponse<byte[]> answer) {
        Map<String, List<String>> headers = new TreeMap<>(answer.headers().map());
        headers.remove("date");
        headers.remove("x-request-id");
        return headers;
    }

    /** Requests that other nodes have sent to the owner. */
    long upstream(DeliveryCounters.Kind kind) {
        return ownerCounters.requests(kind);
    }

    /** A session of the owner with one of each. */
    FakePlayback session() {
        return new FakePlayback("ses", ownerMemory);
    }

    @Override
    public void close() {
        client.close();
        server.close();
        owner.close();
    }
}
