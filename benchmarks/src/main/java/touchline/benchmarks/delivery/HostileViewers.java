package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;

/**
 * Ten good players alone, and beside a thousand slow or silent connections: the time of their
 * requests, the server's memory, and when it closed the hostile connections.
 */
final class HostileViewers {
    private static final int PLAYERS = 10;

    /** Time in which the server returns the memory of closed connections. */
    private static final Duration SETTLE = Duration.ofSeconds(90);

    private HostileViewers() {}

    /**
     * @param watch address of a running stream of latency mode low
     */
    static void run(ProcessHandle server, URI watch, int hostile, Duration time, Report report)
            throws Exception {
        GoodPlayers.watch(watch, PLAYERS, time.dividedBy(3));
        Samples alone = GoodPlayers.watch(watch, PLAYERS, time);
        long before = ProcessUsage.of(server).residentBytes();
        Samples beside;
        long during;
        HostileCrowd crowd = HostileCrowd.start(segment(watch), hostile);
        try (crowd) {
            beside = GoodPlayers.watch(watch, PLAYERS, time);
            during = ProcessUsage.of(server).residentBytes();
        }
        Thread.sleep(SETTLE);
        long after = ProcessUsage.of(server).residentBytes();
        Report.Table players =
                report.table(
                        "hostile_viewers",
                        "ten players | fetches | p50 ms | p95 ms | p99 ms | most ms");
        row(players, "alone", alone);
        row(players, "beside " + hostile + " hostile", beside);
        report.table("hostile_memory", "RSS MiB before | during | after | refused")
                .row(before >> 20, during >> 20, after >> 20, crowd.refused());
        Report.Table closed =
                report.table(
                        "hostile_closed",
                        "hostile connections | closed | after s, median | after s, most | never");
        for (HostileCrowd.Kind kind : HostileCrowd.Kind.values()) {
            Samples seconds = crowd.closedAfterSeconds(kind);
            String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            long never = crowd.neverClosed(kind);
            closed.row(name, seconds.count(), seconds.median(), seconds.max(), never);
        }
    }

    private static void row(Report.Table table, String name, Samples ms) {
        table.row(name, ms.count(), ms.median(), ms.percentile(95), ms.percentile(99), ms.max());
    }

    private static URI segment(URI watch) throws IOException, InterruptedException {
        try (LiveEdge edge = LiveEdge.open(watch, Throughput.START_LIMIT)) {
            return edge.playlist().segments().getLast().address();
        }
    }
}
