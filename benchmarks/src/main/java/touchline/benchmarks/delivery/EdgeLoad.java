package touchline.benchmarks.delivery;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;

/**
 * Many viewers wait for the same part at a node that does not have the stream, in turns with as
 * many at its owner: time from publication to the median answer, CPU time of the event loops, and
 * requests between the nodes.
 */
public final class EdgeLoad implements Benchmark {
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final int WARM_UP_ROUNDS = 8;
    private static final int ROUNDS_IN_A_TURN = 4;

    /** More than a second to send all requests. */
    private static final int SEGMENTS_AHEAD = 2;

    private static final Pattern NEWEST = Pattern.compile("URI=\"s(\\d+)\\.\\d+\\.m4s\"");

    private final int waiters;
    private final int turns;
    private final Report report;

    /** Turns of four rounds and waiters: 5 and 10,000 by default. */
    public EdgeLoad(Arguments given, Report report) {
        turns = given.number(0, 5);
        waiters = given.number(1, 10_000);
        this.report = report;
    }

    /** One server of the benchmark, and what was measured at it. */
    private static final class Node implements AutoCloseable {
        private final Process process;
        private final BufferedReader output;
        private final BufferedWriter input;
        private final URI media;
        private final Samples medianMs = new Samples();
        private final Samples lastMs = new Samples();
        private final Samples cpuUs = new Samples();

        /** Playlists and parts that its viewers have requested, each counted once. */
        private long requested;

        Node(List<String> arguments) throws IOException {
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-XX:+UseSerialGC",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    EdgeProcess.class.getName()));
            command.addAll(arguments);
            process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            output = process.inputReader(StandardCharsets.UTF_8);
            input = process.outputWriter(StandardCharsets.UTF_8);
            media =
                    URI.create(
                            "http://127.0.0.1:"
                                    + line()
                                    + "/id/"
                                    + EdgeProcess.SESSION
                                    + "/media.m3u8");
        }

        /** The next line that is a number; others are of its log. */
        private String line() throws IOException {
            String line = output.readLine();
            while (line != null && !line.matches("\\d+")) {
                line = output.readLine();
            }
            if (line == null) {
                throw new IOException("the server has ended");
            }
            return line;
        }

        /** Requests that it has sent to its owner. */
        long upstream() throws IOException {
            input.write('\n');
            input.flush();
            return Long.parseLong(line());
        }

        /** CPU time of its event loops, the requests to other nodes included. */
        double cpuSeconds() throws IOException {
            return ProcessUsage.threadsCpuSeconds(process.toHandle(), "playback");
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    @Override
    public int run() throws Exception {
        try (Node owner = new Node(List.of());
                Node edge = new Node(List.of(String.valueOf(owner.media.getPort())))) {
            for (Node each : List.of(owner, edge)) {
                turn(owner, each, WARM_UP_ROUNDS, /* counted= */ false);
            }
            long upstream = 0;
            edge.requested = 0;
            for (int i = 0; i < turns; i++) {
                turn(owner, owner, ROUNDS_IN_A_TURN, /* counted= */ true);
                long before = edge.upstream();
                turn(owner, edge, ROUNDS_IN_A_TURN, /* counted= */ true);
                upstream += edge.upstream() - before;
            }
            show(owner, edge, (double) upstream / edge.requested);
        }
        return 0;
    }

    private void show(Node owner, Node edge, double upstream) {
        Report.Table table =
                report.table(
                        "edge",
                        "waiters | server | median answer ms | last answer ms"
                                + " | event loops, CPU us per answer | requests between nodes"
                                + " per playlist or part");
        table.row(
                waiters,
                "owner",
                owner.medianMs.median(),
                owner.lastMs.median(),
                owner.cpuUs.median(),
                0);
        table.row(
                waiters,
                "edge",
                edge.medianMs.median(),
                edge.lastMs.median(),
                edge.cpuUs.median(),
                upstream);
        report.note(
                "edge: %+.2f ms median, %.3f of the CPU per answer",
                edge.medianMs.median() - owner.medianMs.median(),
                edge.cpuUs.median() / owner.cpuUs.median());
    }

    /** Each round is a playlist that all wait for, and then its part that all request. */
    private void turn(Node owner, Node at, int rounds, boolean counted) throws Exception {
        try (WaiterPool pool = WaiterPool.connect(at.media, waiters);
                HttpConnection single = HttpConnection.open(owner.media)) {
            int measured = 0;
            for (int tries = 0; measured < rounds; tries++) {
                if (tries > 5 * rounds) {
                    throw new IOException("the requests take longer than the time until the part");
                }
                long next = newest(single, owner.media) + SEGMENTS_AHEAD;
                if (round(owner, at, pool, next, counted)) {
                    measured++;
                    part(at, pool, next);
                }
            }
            if (pool.failed() > 0) {
                throw new IOException(pool.failed() + " requests failed: " + pool.failure());
            }
        }
    }

    /** The part goes to a tenth of the viewers: all of them would measure the loopback device. */
    private void part(Node at, WaiterPool pool, long segment) throws IOException {
        at.requested++;
        pool.requestOfSome(at.media.resolve("s" + segment + ".0.m4s"), 10);
        pool.answers(ANSWER);
    }

    private static long newest(HttpConnection connection, URI media) throws IOException {
        String text = StandardCharsets.UTF_8.decode(connection.body(media)).toString();
        Matcher newest = NEWEST.matcher(text);
        long found = 0;
        while (newest.find()) {
            found = Long.parseLong(newest.group(1));
        }
        return found;
    }

    /** Returns false if the part was published before the last request was sent. */
    private boolean round(Node owner, Node at, WaiterPool pool, long segment, boolean counted)
            throws Exception {
        String query = "?_HLS_msn=" + segment + "&_HLS_part=0";
        URI wanted = URI.create(at.media + query);
        try (HttpConnection probing = HttpConnection.open(owner.media)) {
            URI probed = URI.create(owner.media + query);
            at.requested++;
            double before = at.cpuSeconds();
            FutureTask<Long> probe = new FutureTask<>(() -> probing.get(probed).doneNs());
            Thread.ofPlatform().name("bench-single-viewer").start(probe);
            pool.request(wanted);
            long requestedNs = System.nanoTime();
            long[] doneNs = pool.answers(ANSWER);
            double after = at.cpuSeconds();
            long publishedNs = probe.get();
            if (doneNs.length == 0 || Math.min(doneNs[0], publishedNs) < requestedNs) {
                return false;
            }
            if (counted) {
                long startNs = Math.min(doneNs[0], publishedNs);
                at.medianMs.add((doneNs[doneNs.length / 2] - startNs) / 1e6);
                at.lastMs.add((doneNs[doneNs.length - 1] - startNs) / 1e6);
                at.cpuUs.add((after - before) * 1e6 / doneNs.length);
            }
            return true;
        }
    }
}
