package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.MeasuredServer;
import touchline.benchmarks.load.NginxFiles;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Settling;

/**
 * Bytes and requests per CPU second of the server, against nginx with sendfile on the very same
 * bytes: round by round in turn, medians. What the running streams cost by themselves is taken off.
 * Over loopback either end may do the kernel's work of the other one, as it happens, so what both
 * ends took is told too.
 */
final class Throughput {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int WARM_UP_SECONDS = 3;
    private static final int SETTLED_ROUNDS = 2;
    private static final int WARM_UP_ROUNDS = 10;

    /** What is asked for; a live stream has a new address for it every few seconds. */
    private enum Body {
        SEGMENT("segment", "low.m4s"),
        PART("part", "part.m4s"),
        LOW_PLAYLIST("playlist, low", "low.m3u8"),
        STANDARD_PLAYLIST("playlist, standard", "standard.m3u8");

        private final String label;
        private final String file;

        Body(String label, String file) {
            this.label = label;
            this.file = file;
        }
    }

    /** One server's figures of one body. */
    private static final class Side {
        private final Samples perCpuSecond = new Samples();
        private final Samples bothUs = new Samples();
        private final Samples p99Ms = new Samples();
        private long errors;

        private void add(WrkTurn turn) {
            perCpuSecond.add(turn.requestsPerCpuSecond());
            bothUs.add(turn.bothUs());
            p99Ms.add(turn.wrk().p99Ms());
            errors += turn.wrk().errors();
        }
    }

    /** Both servers' figures of one body. */
    private static final class Row {
        private final Samples sizeBytes = new Samples();
        private final Side own = new Side();
        private final Side nginx = new Side();
    }

    private final MeasuredServer server;
    private final NginxFiles nginx;
    private final Report report;

    /**
     * @param server its first stream is of low latency, its second standard; both run
     */
    Throughput(MeasuredServer server, NginxFiles nginx, Report report) {
        this.server = server;
        this.nginx = nginx;
        this.report = report;
    }

    void run(int rounds, int seconds) throws IOException, InterruptedException {
        List<List<Object>> rows = new ArrayList<>();
        try (LiveEdge low = LiveEdge.open(server.streams().get(0).watch(), SOON);
                LiveEdge standard = LiveEdge.open(server.streams().get(1).watch(), SOON)) {
            for (Body body : Body.values()) {
                warmUp(body, low, standard);
            }
            BaseLoad base = BaseLoad.of(server.process());
            report.note("streams by themselves: %.4f CPU s a second", base.cpuSecondsPerSecond());
            for (Body body : Body.values()) {
                Row row = new Row();
                for (int round = 0; round < rounds; round++) {
                    // The first has the younger segment, and whatever else that means.
                    boolean ownFirst = round % 2 == 0;
                    measure(body, address(body, low, standard), seconds, ownFirst, row, base);
                }
                rows.add(cells(body, row));
                report.note("delivery of %s: %s", body.label, rows.getLast());
            }
        }
        report.table(
                "throughput",
                List.of(
                        "body",
                        "KiB",
                        "requests per CPU s",
                        "nginx",
                        "ratio",
                        "MB per CPU s",
                        "both ends us per request",
                        "nginx, both ends",
                        "ratio, both ends",
                        "p99 ms",
                        "nginx p99 ms",
                        "errors"),
                rows);
    }

    /** Asks until what a request costs falls no more. */
    private void warmUp(Body body, LiveEdge low, LiveEdge standard)
            throws IOException, InterruptedException {
        Settling settling = new Settling(SETTLED_ROUNDS, WARM_UP_ROUNDS);
        while (!settling.isOver()) {
            URI address = address(body, low, standard);
            WrkTurn turn = WrkTurn.run(server.process(), BaseLoad.NONE, address, WARM_UP_SECONDS);
            settling.add(turn.serverSeconds() / turn.wrk().requests());
        }
        report.note("%s, CPU us per request: %s", body.label, settling.toString(1e-6));
    }

    private static List<Object> cells(Body body, Row row) {
        double size = row.sizeBytes.median();
        double own = row.own.perCpuSecond.median();
        double nginx = row.nginx.perCpuSecond.median();
        double ownBothUs = row.own.bothUs.median();
        double nginxBothUs = row.nginx.bothUs.median();
        return List.of(
                body.label,
                size / 1024,
                own,
                nginx,
                own / nginx,
                own * size / 1e6,
                ownBothUs,
                nginxBothUs,
                nginxBothUs / ownBothUs,
                row.own.p99Ms.median(),
                row.nginx.p99Ms.median(),
                row.own.errors + row.nginx.errors);
    }

    private void measure(
            Body body, URI address, int seconds, boolean ownFirst, Row row, BaseLoad base)
            throws IOException, InterruptedException {
        ByteBuffer bytes;
        try (HttpConnection connection = HttpConnection.open(address)) {
            bytes = connection.body(address);
        }
        row.sizeBytes.add(bytes.remaining());
        URI copy = nginx.serve(body.file, bytes);

        for (boolean own : new boolean[] {ownFirst, !ownFirst}) {
            if (own) {
                row.own.add(WrkTurn.run(server.process(), base, address, seconds));
            } else {
                row.nginx.add(WrkTurn.run(nginx.process(), BaseLoad.NONE, copy, seconds));
            }
        }
    }

    /** The newest of its kind: it stays to be had for a window, which is longer than a round. */
    private static URI address(Body body, LiveEdge low, LiveEdge standard) throws IOException {
        return switch (body) {
            case SEGMENT -> newest(low).segments().getLast().address();
            case PART -> middlePart(newest(low));
            case LOW_PLAYLIST -> low.media();
            case STANDARD_PLAYLIST -> standard.media();
        };
    }

    private static LowLatencyPlaylist newest(LiveEdge edge) throws IOException {
        edge.look();
        return edge.playlist();
    }

    /** From the middle of the newest whole segment: without a key frame, of the usual size. */
    static URI middlePart(LowLatencyPlaylist playlist) {
        long newest = playlist.segments().getLast().mediaSequence();
        List<LowLatencyPlaylist.Item> parts =
                playlist.parts().stream().filter(p -> p.mediaSequence() == newest).toList();
        return parts.get(parts.size() / 2).address();
    }
}
