package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.MeasuredServer;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;

/**
 * Ten good players alone, and beside a thousand slow or silent connections: the time of their
 * fetches, the server's memory before, during and after, and when it closed the others.
 */
final class HostileViewers {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int PLAYERS = 10;

    /** What was closed is given back by then. */
    private static final Duration SETTLE = Duration.ofSeconds(20);

    private final MeasuredServer server;
    private final Report report;

    /**
     * @param server its first stream is of low latency and runs
     */
    HostileViewers(MeasuredServer server, Report report) {
        this.server = server;
        this.report = report;
    }

    void run(int hostile, Duration time) throws Exception {
        URI watch = server.streams().getFirst().watch();
        GoodPlayers.watch(watch, PLAYERS, time.dividedBy(3));
        Samples alone = GoodPlayers.watch(watch, PLAYERS, time);
        long before = residentBytes();
        Samples beside;
        long during;
        HostileCrowd crowd = HostileCrowd.start(segment(watch), hostile);
        try (crowd) {
            beside = GoodPlayers.watch(watch, PLAYERS, time);
            during = residentBytes();
        }
        TimeUnit.NANOSECONDS.sleep(SETTLE.toNanos());
        long after = residentBytes();
        report.table(
                "hostile_viewers",
                List.of("ten players", "fetches", "p50 ms", "p95 ms", "p99 ms", "most ms"),
                List.of(row("alone", alone), row("beside " + hostile + " hostile", beside)));
        report.table(
                "hostile_memory",
                List.of("RSS MiB before", "during", "after", "refused"),
                List.of(List.of(before >> 20, during >> 20, after >> 20, crowd.refused())));
        report.table(
                "hostile_closed",
                List.of(
                        "hostile connections",
                        "closed",
                        "after s, median",
                        "after s, most",
                        "never"),
                closed(crowd));
    }

    private static List<Object> row(String name, Samples ms) {
        return List.of(
                name, ms.count(), ms.median(), ms.percentile(95), ms.percentile(99), ms.max());
    }

    private static List<List<Object>> closed(HostileCrowd crowd) {
        List<List<Object>> rows = new ArrayList<>();
        for (HostileCrowd.Kind kind : HostileCrowd.Kind.values()) {
            Samples seconds = crowd.closedAfterSeconds(kind);
            String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            rows.add(
                    List.of(
                            name,
                            seconds.count(),
                            seconds.median(),
                            seconds.max(),
                            crowd.neverClosed(kind)));
        }
        return rows;
    }

    private URI segment(URI watch) throws Exception {
        try (LiveEdge edge = LiveEdge.open(watch, SOON)) {
            return edge.playlist().segments().getLast().address();
        }
    }

    private long residentBytes() throws IOException {
        return ProcessUsage.of(server.process()).residentBytes();
    }
}
