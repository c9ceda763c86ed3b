package touchline.benchmarks.delivery;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import touchline.config.PlaybackConfig;
import touchline.media.decoding.GopDecoders;
import touchline.packager.audience.Audience;
import touchline.packager.delivery.ClusterPlayback;
import touchline.packager.delivery.DeliveryCounters;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.delivery.NodeAccess;
import touchline.packager.delivery.PlaybackAccess;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.delivery.PlaybackServer;
import touchline.packager.delivery.WatchPages;
import touchline.packager.edge.Edge;
import touchline.packager.edge.UpstreamAddress;
import touchline.packager.thumbnail.Thumbnails;

/**
 * A playback server in a process of its own: the owner of one session, or an edge that serves the
 * owner's. Answers each line on its input with its counters; ends with its input.
 */
final class EdgeProcess {
    static final String SESSION = "session";

    private static final Duration PART = Duration.ofMillis(250);
    private static final int MAX_CONNECTIONS = 100_000;
    private static final long CACHE_BYTES = 256 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** All processes are of one benchmark. */
    private static final NodeAccess NODES =
            new NodeAccess() {
                @Override
                public boolean isSigned(String signature, String method, String target) {
                    return true;
                }

                @Override
                public boolean isNode(InetAddress address) {
                    return true;
                }
            };

    private EdgeProcess() {}

    /**
     * @param args the port of the owner, for an edge
     */
    public static void main(String[] args) throws IOException {
        NettyMediaMemory memory = new NettyMediaMemory();
        Optional<UpstreamAddress> owner =
                args.length == 0
                        ? Optional.empty()
                        : Optional.of(
                                new UpstreamAddress(
                                        "127.0.0.1",
                                        Integer.parseInt(args[0]),
                                        /* secure= */ false));
        Edge edge =
                new Edge(
                        new Edge.Dependencies(
                                (_, _) -> CompletableFuture.completedFuture(owner),
                                (_, _) -> "benchmark",
                                memory,
                                Optional.empty(),
                                CACHE_BYTES,
                                System::nanoTime));
        PlaybackAccess access = owner.isPresent() ? showing(edge) : showing(running(memory));
        PlaybackServer server = server(access, edge);
        server.start();
        System.out.println(server.port());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            while (lines.readLine() != null) {
                System.out.println(edge.counters().requests());
            }
        }
        server.close();
        System.exit(0);
    }

    private static TimedSession running(NettyMediaMemory memory) {
        TimedSession session = new TimedSession(SESSION, memory);
        session.publish();
        var _ =
                Executors.newSingleThreadScheduledExecutor()
                        .scheduleAtFixedRate(
                                session::publish,
                                PART.toMillis(),
                                PART.toMillis(),
                                TimeUnit.MILLISECONDS);
        return session;
    }

    private static PlaybackAccess showing(TimedSession session) {
        PlaybackDecision shown =
                new PlaybackDecision.Live(List.of(session), true, false, Optional.empty());
        return new PlaybackAccess() {
            @Override
            public CompletionStage<PlaybackDecision> resolve(PlaybackRequest request) {
                return CompletableFuture.completedFuture(shown);
            }

            @Override
            public CompletionStage<PlaybackDecision> resolveForNode(PlaybackRequest request) {
                return CompletableFuture.completedFuture(shown);
            }
        };
    }

    private static PlaybackAccess showing(Edge edge) {
        return request ->
                CompletableFuture.completedFuture(
                        new PlaybackDecision.Remote(
                                edge.media("stream", request.playbackId()),
                                /* restricted= */ false,
                                Optional.empty(),
                                Optional.empty()));
    }

    private static PlaybackServer server(PlaybackAccess access, Edge edge) {
        PlaybackConfig config =
                new PlaybackConfig(
                        "127.0.0.1", 0, MAX_CONNECTIONS, 0, PATIENCE, PATIENCE, 100, 8 << 20);
        return new PlaybackServer(
                () -> config,
                new PlaybackServer.Sources(
                        access,
                        Thumbnails.of(100, 8 << 20, GopDecoders.LOCAL, (_, _) -> {}),
                        WatchPages.NONE,
                        new Audience(
                                new Audience.Limits(() -> 0, _ -> true),
                                System::nanoTime,
                                InstantSource.system()),
                        Optional.of(new ClusterPlayback(NODES, edge))),
                new DeliveryCounters(),
                List.of(),
                Optional.empty());
    }
}
