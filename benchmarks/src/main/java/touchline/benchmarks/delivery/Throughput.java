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
import touchline.benchmarks.load.ProcessUsage;
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

    /** Both servers' figures of one body. */
    private static final class Row {
        private final Samples own = new Samples();
        private final Samples nginx = new Samples();
        private final Samples bothUs = new Samples();
        private final Samples nginxBothUs = new Samples();
        private final Samples sizeBytes = new Samples();
        private final Samples p99Ms = new Samples();
        private final Samples nginxP99Ms = new Samples();
        private long errors;
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
            double before = ProcessUsage.of(server.process()).cpuSeconds();
            Wrk wrk = Wrk.run(address(body, low, standard), WARM_UP_SECONDS);
            double took = ProcessUsage.of(server.process()).cpuSeconds() - before;
            settling.add(took / wrk.requests());
        }
        report.note("%s, CPU us per request: %s", body.label, settling.toString(1e-6));
    }

    private static List<Object> cells(Body body, Row row) {
        double size = row.sizeBytes.median();
        return List.of(
                body.label,
                size / 1024,
                row.own.median(),
                row.nginx.median(),
                row.own.median() / row.nginx.median(),
                row.own.median() * size / 1e6,
                row.bothUs.median(),
                row.nginxBothUs.median(),
                row.nginxBothUs.median() / row.bothUs.median(),
                row.p99Ms.median(),
                row.nginxP99Ms.median(),
                row.errors);
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

        if (ownFirst) {
            measureOwn(address, seconds, row, base);
            measureNginx(copy, seconds, row);
        } else {
            measureNginx(copy, seconds, row);
            measureOwn(address, seconds, row, base);
        }
    }

    private void measureOwn(URI address, int seconds, Row row, BaseLoad base)
            throws IOException, InterruptedException {
        double before = ProcessUsage.of(server.process()).cpuSeconds();
        long startNs = System.nanoTime();
        Wrk wrk = Wrk.run(address, seconds);
        double tookSeconds = (System.nanoTime() - startNs) / 1e9;
        double spent = ProcessUsage.of(server.process()).cpuSeconds() - before;
        double ownSeconds = spent - base.in(tookSeconds);
        row.own.add(wrk.requests() / ownSeconds);
        row.bothUs.add((ownSeconds + wrk.cpuSeconds()) * 1e6 / wrk.requests());
        row.p99Ms.add(wrk.p99Ms());
        row.errors += wrk.errors();
    }

    private void measureNginx(URI address, int seconds, Row row)
            throws IOException, InterruptedException {
        double before = ProcessUsage.of(nginx.process()).cpuSeconds();
        Wrk wrk = Wrk.run(address, seconds);
        double spent = ProcessUsage.of(nginx.process()).cpuSeconds() - before;
        row.nginx.add(wrk.requests() / spent);
        row.nginxBothUs.add((spent + wrk.cpuSeconds()) * 1e6 / wrk.requests());
        row.nginxP99Ms.add(wrk.p99Ms());
        row.errors += wrk.errors();
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
