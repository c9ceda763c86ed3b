package touchline.benchmarks.viewers;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.hostile.ServerFigures;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * How exact and how fresh the number of viewers is, while scripted players with and without CMCD,
 * several behind one address, join and leave; then the memory of a million forged sessions.
 */
public final class ViewersLoad implements Benchmark {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration FILL = Duration.ofSeconds(12);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long POLL_MS = 250;

    /** A number is right within this share. */
    private static final double EXACT = 0.02;

    private static final double FRESH_SECONDS = 15;
    private static final double LIMIT_SECONDS = 60;
    private static final double MIB_OF_SESSIONS = 64;

    private final int players;
    private final int seconds;
    private final int forged;
    private final Report report;
    private boolean good = true;

    /** Players, seconds of joining and leaving, forged sessions: 500, 120 and 1,000,000. */
    public ViewersLoad(Arguments given, Report report) {
        players = given.number(0, 500);
        seconds = given.number(1, 120);
        forged = given.number(2, 1_000_000);
        this.report = report;
    }

    /** Returns 0 if the number is within 2 %, 15 s fresh, and memory is bounded. */
    @Override
    public int run() throws Exception {
        try (TouchlineServer server = TouchlineServer.start()) {
            LiveAddress stream = server.stream("{}");
            var media = CameraSource.SMALL.media(seconds + 300L);
            try (Senders senders = Senders.start(List.of(stream), media)) {
                Thread.sleep(FILL);
                URI playlist;
                try (LiveEdge edge = LiveEdge.open(stream.watch(), START)) {
                    playlist = edge.media();
                }
                Crowd crowd = new Crowd(playlist);
                try {
                    steps(server, stream, crowd);
                    comings(server, stream, crowd);
                    check(crowd.failures() == 0, crowd.failures() + " players failed");
                } finally {
                    crowd.end();
                }
                forge(server, stream, playlist);
                senders.requireAlive();
            }
        }
        return good ? 0 : 1;
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            good = false;
            report.note("%s", otherwise);
        }
    }

    private static int counted(TouchlineServer server, LiveAddress stream)
            throws IOException, InterruptedException {
        return server.get("/live/v1/live-streams/" + stream.id()).path("viewers").asInt();
    }

    /** All at once: how long until the number is right. */
    private void steps(TouchlineServer server, LiveAddress stream, Crowd crowd)
            throws IOException, InterruptedException {
        Report.Table table =
                report.table("steps", "step | players | seconds until right within 2 %");
        crowd.join(players);
        double joined = untilRight(server, stream, players);
        table.row(players + " join", players, joined);
        check(joined <= FRESH_SECONDS, "joining players were not counted in time");
        int leaving = players / 2;
        crowd.leave(leaving);
        double left = untilRight(server, stream, players - leaving);
        table.row(leaving + " leave (30 s of their window included)", players - leaving, left);
        check(left <= FRESH_SECONDS + 30, "leaving players were counted too long");
    }

    private double untilRight(TouchlineServer server, LiveAddress stream, int expected)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        double passed = 0;
        while (passed < LIMIT_SECONDS) {
            int counted = counted(server, stream);
            passed = (System.nanoTime() - startNs) / 1e9;
            if (Math.abs(counted - expected) <= EXACT * expected) {
                return passed;
            }
            Thread.sleep(POLL_MS);
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Each second some join and some leave, half of all to all of them. */
    private void comings(TouchlineServer server, LiveAddress stream, Crowd crowd)
            throws IOException, InterruptedException {
        Samples errors = new Samples();
        Samples viewers = new Samples();
        int exact = 0;
        long nextNs = System.nanoTime();
        for (int second = 0; second < seconds; second++) {
            double wave = 0.75 - 0.25 * Math.cos(2 * Math.PI * second / 60);
            int target = (int) (players * wave);
            int change = target - crowd.playing();
            int turn = Math.max(1, players / 100);
            crowd.join(turn + Math.max(0, change));
            crowd.leave(turn + Math.max(0, -change));
            nextNs += SECOND_NS;
            TimeUnit.NANOSECONDS.sleep(nextNs - System.nanoTime());
            int truth = crowd.viewers();
            int counted = counted(server, stream);
            double error = Math.abs(counted - truth) / (double) Math.max(1, truth);
            errors.add(100 * error);
            viewers.add(truth);
            exact += error <= EXACT ? 1 : 0;
        }
        report.table(
                        "accuracy",
                        "seconds | viewers, median | most | error %, median | p95 | most"
                                + " | seconds within 2 %")
                .row(
                        seconds,
                        viewers.median(),
                        viewers.max(),
                        errors.median(),
                        errors.percentile(95),
                        errors.max(),
                        exact);
        check(errors.percentile(95) <= 100 * EXACT, "the number is not within 2 %");
    }

    private void forge(TouchlineServer server, LiveAddress stream, URI playlist)
            throws IOException, InterruptedException {
        URI small = init(playlist);
        // The code of these requests is compiled, and the players are gone.
        ForgedSessions.send(small, 50_000);
        Thread.sleep(Duration.ofSeconds(33));
        ServerFigures.collect(server.process());
        ServerFigures before = ServerFigures.of(server.process(), server.data());
        long startNs = System.nanoTime();
        ForgedSessions.send(small, forged);
        double sent = (System.nanoTime() - startNs) / 1e9;
        Thread.sleep(Duration.ofSeconds(2));
        int counted = counted(server, stream);
        ServerFigures.collect(server.process());
        ServerFigures during = ServerFigures.of(server.process(), server.data());
        Thread.sleep(Duration.ofSeconds(33));
        ServerFigures.collect(server.process());
        ServerFigures after = ServerFigures.of(server.process(), server.data());
        report.table(
                        "forged",
                        "forged sessions | in s | counted | heap MiB before | with them"
                                + " | after them | not counted")
                .row(
                        forged,
                        sent,
                        counted,
                        before.heapMib(),
                        during.heapMib(),
                        after.heapMib(),
                        server.metric("touchline_viewers_uncounted_total"));
        check(
                during.heapMib() - before.heapMib() <= MIB_OF_SESSIONS,
                "forged sessions take too much memory");
    }

    private static URI init(URI playlist) throws IOException {
        try (HttpConnection connection = HttpConnection.open(playlist)) {
            return connection
                    .get(playlist)
                    .text()
                    .lines()
                    .filter(line -> line.startsWith("#EXT-X-MAP:URI=\""))
                    .map(line -> playlist.resolve(line.split("\"", 3)[1]))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
