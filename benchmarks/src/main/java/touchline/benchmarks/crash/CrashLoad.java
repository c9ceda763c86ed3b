package touchline.benchmarks.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.KillableServer;
import touchline.benchmarks.load.MeasuredServer;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;

/**
 * Kills the server at random moments while encoders push to streams that are recorded, clips are
 * cut, sessions completed and assets deleted, and while it recovers, and looks after each start at
 * what is left.
 */
public final class CrashLoad {
    private static final long LEAST_MS = 200;

    /** Each so many kills are followed by another one while the server recovers. */
    private static final int AGAIN = 4;

    private static final long LONGEST_RECOVERY_MS = 1_000;

    /**
     * @param kills how many times
     * @param publishers encoders at once; every second one in latency mode low
     * @param longest the server lives between two kills, at most
     * @param seed which random moments
     * @param slack what may be under way between an encoder's socket and the disk, on this machine
     */
    public record Plan(int kills, int publishers, Duration longest, long seed, Duration slack) {
        /** Kills, 100 unless given; a number that the moments follow from. */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.number(0, 100),
                    /* publishers= */ 5,
                    Duration.ofSeconds(15),
                    given.number(1, (int) (System.nanoTime() & 0xFFFF)),
                    /* slack= */ Duration.ofMillis(500));
        }
    }

    /** A stream that is recorded in every session. */
    record Recorded(String id, boolean low, MeasuredServer.Stream addresses) {
        /** Part target: what a kill may take. */
        long partMs() {
            return low ? 250 : 1000;
        }
    }

    private final Plan plan;
    private final Report report;
    private final Random random;

    public CrashLoad(Plan plan, Report report) {
        this.plan = plan;
        this.report = report;
        this.random = new Random(plan.seed());
    }

    /** Runs all rounds and prints the table; the exit code: 0 without a fault. */
    public int run(Path results) throws Exception {
        PushMedia media = CameraSource.smallMedia(plan.longest().toSeconds() + 10);
        Samples startMs = new Samples();
        try (KillableServer server = KillableServer.create()) {
            server.start();
            List<Recorded> streams = streams(server);
            AfterCrash check = new AfterCrash(server, streams, plan.slack());
            for (int kills = 1; kills <= plan.kills(); kills++) {
                Life life = oneLife(server, streams, media);
                if (kills < plan.kills() && random.nextInt(AGAIN) == 0) {
                    server.start();
                    TimeUnit.MILLISECONDS.sleep(random.nextLong(LONGEST_RECOVERY_MS));
                    server.kill();
                    kills++;
                }
                Duration start = server.start();
                startMs.add((double) start.toMillis());
                int faults = check.look(life);
                report.note(
                        "kill %d of %d (seed %d): ready again after %d ms, %d faults",
                        kills, plan.kills(), plan.seed(), start.toMillis(), faults);
            }
            check.faults().forEach(fault -> report.note("fault: %s", fault));
            if (!check.faults().isEmpty()) {
                Files.createDirectories(results);
                Files.copy(
                        server.log(),
                        results.resolve("crash-server.log"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            report.table(
                    "crash",
                    List.of(
                            "kills",
                            "recordings ready",
                            "errored with a reason",
                            "clips cut",
                            "assets deleted",
                            "lost ms, median",
                            "lost ms, most",
                            "more than one part",
                            "start ms, most",
                            "faults"),
                    List.of(check.row(plan.kills(), startMs.max())));
            report.finish(results);
            return check.faults().isEmpty() ? 0 : 1;
        }
    }

    private List<Recorded> streams(KillableServer server) throws Exception {
        List<Recorded> streams = new ArrayList<>();
        for (int i = 0; i < plan.publishers(); i++) {
            boolean low = i % 2 == 1;
            JsonNode made =
                    server.call(
                                    "POST",
                                    "/live/v1/live-streams",
                                    "{\"record\":true,\"reconnect_window\":0,\"latency_mode\":\"%s\"}"
                                            .formatted(low ? "low" : "standard"))
                            .path("data");
            streams.add(
                    new Recorded(
                            made.path("id").asText(),
                            low,
                            server.stream(
                                    made.path("stream_key").asText(),
                                    made.at("/playback_ids/0/id").asText())));
        }
        return streams;
    }

    /**
     * What the server was told.
     *
     * @param sentMs media that each stream's encoder has sent; -1 where its session was ended
     * @param done by operators
     */
    record Life(List<Long> sentMs, Operators.Done done) {}

    /** Pushes, operates, and kills. */
    private Life oneLife(KillableServer server, List<Recorded> streams, PushMedia media)
            throws Exception {
        long lifeMs = LEAST_MS + random.nextLong(plan.longest().toMillis() - LEAST_MS);
        List<Long> sentMs;
        Operators operators;
        try (Senders senders =
                Senders.start(streams.stream().map(Recorded::addresses).toList(), media)) {
            operators = new Operators(server, streams, new Random(random.nextLong()), lifeMs);
            operators.start();
            TimeUnit.MILLISECONDS.sleep(lifeMs);
            server.kill();
            senders.stop();
            sentMs = new ArrayList<>(senders.sentMs());
        }
        Operators.Done done = operators.join();
        done.completed().forEach(index -> sentMs.set(index, -1L));
        return new Life(sentMs, done);
    }
}
