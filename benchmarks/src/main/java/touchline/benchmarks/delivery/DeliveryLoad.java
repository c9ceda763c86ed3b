package touchline.benchmarks.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.Nginx;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * The cost of viewers: throughput beside nginx, signed beside public, thousands of blocked reloads,
 * and hostile connections. Each part has a fresh server, so that none inherits the memory of
 * another.
 */
public final class DeliveryLoad implements Benchmark {
    /** Time to fill the window. */
    private static final Duration FILL = Duration.ofSeconds(15);

    /** Many short rounds, since single ones scatter. */
    private static final int ROUND_SECONDS = 2;

    /** How long the players are watched, alone and beside hostile connections. */
    private static final Duration PHASE = Duration.ofSeconds(45);

    private final int rounds;
    private final int waiters;
    private final int hostile;
    private final Report report;

    /** Rounds, waiters, hostile connections: 12, 10,000 and 1,000 by default. */
    public DeliveryLoad(Arguments given, Report report) {
        rounds = given.number(0, 12);
        waiters = given.number(1, 10_000);
        hostile = given.number(2, 1000);
        this.report = report;
    }

    /** Returns 0 if everything was measured and no encoder was lost. */
    @Override
    public int run() throws Exception {
        Optional<Nginx> nginx = Nginx.files();
        if (nginx.isEmpty()) {
            report.note("nginx is not installed: apt-get install -y nginx-light");
            return 2;
        }
        PushMedia media = CameraSource.CAMERA.media(seconds());
        try (Nginx files = nginx.get()) {
            measure(
                    List.of("low", "standard"),
                    media,
                    (server, streams) ->
                            new Throughput(server.process(), files, report)
                                    .run(streams, rounds, ROUND_SECONDS));
            measure(
                    List.of("low"),
                    media,
                    (server, streams) ->
                            SignedThroughput.run(
                                    server, streams.getFirst(), rounds, ROUND_SECONDS, report));
            measure(
                    List.of("low"),
                    media,
                    (server, streams) ->
                            new BlockedReloads(server.process(), files, report)
                                    .run(streams.getFirst().watch(), waiters, rounds));
        }
        measure(
                List.of("low"),
                media,
                (server, streams) ->
                        HostileViewers.run(
                                server.process(),
                                streams.getFirst().watch(),
                                hostile,
                                PHASE,
                                report));
        return 0;
    }

    /** A measurement on a server with running streams. */
    private interface Measurement {
        void on(TouchlineServer server, List<LiveAddress> streams) throws Exception;
    }

    private static void measure(List<String> latencyModes, PushMedia media, Measurement measurement)
            throws Exception {
        try (TouchlineServer server = TouchlineServer.start()) {
            List<LiveAddress> streams = new ArrayList<>();
            for (String latencyMode : latencyModes) {
                streams.addAll(server.streams(1, latencyMode));
            }
            try (Senders senders = Senders.start(streams, media)) {
                Thread.sleep(FILL);
                measurement.on(server, streams);
                senders.requireAlive();
            }
        }
    }

    /** Enough media for the longest of the measurements. */
    private long seconds() {
        long throughput = 4L * (40 + rounds * (2L * ROUND_SECONDS + 2));
        long reloads = 300 + 10L * rounds;
        long viewers = 30 + 3 * PHASE.toSeconds();
        return 60 + Math.max(throughput, Math.max(reloads, viewers));
    }
}
