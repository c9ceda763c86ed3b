package touchline.benchmarks.delivery;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.NginxFiles;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * What viewers cost: throughput of a stream of low latency and a standard one against nginx, signed
 * against public, thousands of blocked reloads, and hostile connections.
 */
public final class DeliveryLoad {
    /** The window is filled, and what starts slowly has started. */
    private static final Duration FILL = Duration.ofSeconds(15);

    /**
     * @param rounds of throughput, many short ones since single ones scatter, and of blocked
     *     reloads
     * @param roundSeconds how long wrk asks each server in a round
     * @param waiters that wait for the same part
     * @param hostile connections beside ten good players
     * @param phase how long the players are watched, alone and beside the others
     */
    public record Plan(int rounds, int roundSeconds, int waiters, int hostile, Duration phase) {
        /** Rounds, waiters, hostile connections: 12, 10,000 and 1,000 unless given. */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.number(0, 12),
                    /* roundSeconds= */ 2,
                    given.number(1, 10_000),
                    given.number(2, 1000),
                    Duration.ofSeconds(45));
        }
    }

    private final Path launcher;
    private final Plan plan;
    private final Report report;

    public DeliveryLoad(Path launcher, Plan plan, Report report) {
        this.launcher = launcher;
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured and no encoder was lost. */
    public int run(Path results) throws Exception {
        var nginx = NginxFiles.start();
        if (nginx.isEmpty()) {
            report.note("nginx is not installed: apt-get install -y nginx-light");
            return 2;
        }
        PushMedia media = CameraSource.media(seconds());
        try (NginxFiles files = nginx.get()) {
            beside(
                    List.of("low", "standard"),
                    media,
                    server ->
                            new Throughput(server, files, report)
                                    .run(plan.rounds(), plan.roundSeconds()));
            beside(
                    List.of("low"),
                    media,
                    server ->
                            new SignedThroughput(server, report)
                                    .run(plan.rounds(), plan.roundSeconds()));
            beside(
                    List.of("low"),
                    media,
                    server ->
                            new BlockedReloads(server, files, report)
                                    .run(plan.waiters(), plan.rounds()));
        }
        beside(
                List.of("low"),
                media,
                server -> new HostileViewers(server, report).run(plan.hostile(), plan.phase()));
        report.finish(results);
        return 0;
    }

    /** What is done to a running server. */
    private interface Measurement {
        void on(TouchlineServer server) throws Exception;
    }

    /** On a fresh server, so that none finds the memory that another has made it take. */
    private void beside(List<String> latencyModes, PushMedia media, Measurement measurement)
            throws Exception {
        try (TouchlineServer server = TouchlineServer.start(launcher, latencyModes);
                Senders senders = Senders.start(server.streams(), media)) {
            TimeUnit.NANOSECONDS.sleep(FILL.toNanos());
            measurement.on(server);
            alive(senders);
        }
    }

    private static void alive(Senders senders) throws IOException {
        List<String> dead = senders.dead();
        if (!dead.isEmpty()) {
            throw new IOException("encoders were lost: " + dead);
        }
    }

    /** How long media must last for the longest of the three, generously. */
    private long seconds() {
        long throughput = 4L * (40 + plan.rounds() * (2L * plan.roundSeconds() + 2));
        long reloads = 300 + 10L * plan.rounds();
        long hostile = 30 + 3 * plan.phase().toSeconds();
        return 60 + Math.max(throughput, Math.max(reloads, hostile));
    }
}
