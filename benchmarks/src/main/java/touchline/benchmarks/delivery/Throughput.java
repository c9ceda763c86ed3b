package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.Nginx;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Settling;

/**
 * Bytes and requests per CPU second of the server, beside nginx with sendfile on the same bytes:
 * medians of rounds in turns, without the CPU time of the streams themselves. Over loopback either
 * end may do the kernel's work of the other end, so the table has the sum of both ends too.
 */
final class Throughput {
    static final Duration START_LIMIT = Duration.ofSeconds(20);

    private static final int WARM_UP_SECONDS = 3;
    private static final int SETTLED_ROUNDS = 2;
    private static final int WARM_UP_ROUNDS = 10;

    /** What is requested. A live stream has a new address for it every few seconds. */
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

    /** Figures of one server and one body. */
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

    /** Figures of both servers and one body. */
    private static final class Row {
        private final Samples sizeBytes = new Samples();
        private final Side own = new Side();
        private final Side nginx = new Side();
    }

    private final ProcessHandle server;
    private final Nginx nginx;
    private final Report report;

    Throughput(ProcessHandle server, Nginx nginx, Report report) {
        this.server = server;
        this.nginx = nginx;
        this.report = report;
    }

    /**
     * @param streams run, the first in latency mode low, the second in mode standard
     */
    void run(List<LiveAddress> streams, int rounds, int seconds)
            throws IOException, InterruptedException {
        Report.Table table =
                report.table(
                        "throughput",
                        "body | KiB | requests per CPU s | nginx | ratio | MB per CPU s"
                                + " | both ends us per request | nginx, both ends"
                                + " | ratio, both ends | p99 ms | nginx p99 ms | errors");
        try (LiveEdge low = LiveEdge.open(streams.get(0).watch(), START_LIMIT);
                LiveEdge standard = LiveEdge.open(streams.get(1).watch(), START_LIMIT)) {
            for (Body body : Body.values()) {
                warmUp(body, low, standard);
            }
            BaseLoad base = BaseLoad.of(server);
            report.note("streams by themselves: %.4f CPU s a second", base.cpuSecondsPerSecond());
            for (Body body : Body.values()) {
                Row row = new Row();
                for (int round = 0; round < rounds; round++) {
                    // Each is first in half of the rounds, since the first server has the younger
                    // segment.
                    boolean ownFirst = round % 2 == 0;
                    measure(body, address(body, low, standard), seconds, ownFirst, row, base);
                }
                add(table, body, row);
            }
        }
    }

    /** Requests until the cost of a request no longer falls. */
    private void warmUp(Body body, LiveEdge low, LiveEdge standard)
            throws IOException, InterruptedException {
        Settling settling = new Settling(SETTLED_ROUNDS, WARM_UP_ROUNDS);
        while (!settling.isOver()) {
            URI address = address(body, low, standard);
            WrkTurn turn = WrkTurn.run(server, BaseLoad.NONE, address, WARM_UP_SECONDS);
            settling.add(turn.serverSeconds() / turn.wrk().requests());
        }
        report.note("%s, CPU us per request: %s", body.label, settling.toString(1e-6));
    }

    private void add(Report.Table table, Body body, Row row) {
        double size = row.sizeBytes.median();
        double own = row.own.perCpuSecond.median();
        double other = row.nginx.perCpuSecond.median();
        double ownBothUs = row.own.bothUs.median();
        double nginxBothUs = row.nginx.bothUs.median();
        report.note("%s: ratio to nginx %.2f", body.label, own / other);
        table.row(
                body.label,
                size / 1024,
                own,
                other,
                own / other,
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
                row.own.add(WrkTurn.run(server, base, address, seconds));
            } else {
                row.nginx.add(WrkTurn.run(nginx.process(), BaseLoad.NONE, copy, seconds));
            }
        }
    }

    /** The newest one. It stays in the window for longer than a round. */
    private static URI address(Body body, LiveEdge low, LiveEdge standard) throws IOException {
        return switch (body) {
            case SEGMENT -> low.load().segments().getLast().address();
            case PART -> middlePart(low.load());
            case LOW_PLAYLIST -> low.media();
            case STANDARD_PLAYLIST -> standard.media();
        };
    }

    /** A part from the middle of the newest segment: without a key frame, of average size. */
    static URI middlePart(LowLatencyPlaylist playlist) {
        long newest = playlist.segments().getLast().mediaSequence();
        List<LowLatencyPlaylist.Item> parts =
                playlist.parts().stream().filter(p -> p.mediaSequence() == newest).toList();
        return parts.get(parts.size() / 2).address();
    }
}
