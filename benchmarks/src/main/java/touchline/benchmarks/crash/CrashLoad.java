package touchline.benchmarks.crash;

import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Kills the server at random moments while encoders push, clips are cut, sessions completed and
 * assets deleted, and while it recovers. Checks all recordings after each start.
 */
public final class CrashLoad implements Benchmark {
    private static final int PUBLISHERS = 5;
    private static final long LEAST_MS = 200;

    /** One of so many kills is followed by another one while the server recovers. */
    private static final int AGAIN = 4;

    private static final long LONGEST_RECOVERY_MS = 1_000;

    /** A stream that records each session. */
    record Recorded(LiveAddress stream, boolean low) {
        String id() {
            return stream.id();
        }

        /** Part target: the media that a kill may lose. */
        long partMs() {
            return low ? 250 : 1000;
        }
    }

    private final int kills;
    private final int seed;
    private final long longestMs;
    private final long slackMs;
    private final Report report;
    private final Random random;

    /**
     * Kills, 100 by default, and the seed of the random moments; {@code --life-ms} between two
     * kills at most, 15,000 by default; {@code --slack-ms} of media that may be between an
     * encoder's socket and the disk, 500 by default.
     */
    public CrashLoad(Arguments given, Report report) {
        kills = given.number(0, 100);
        seed = given.number(1, (int) (System.nanoTime() & 0xFFFF));
        longestMs = given.option("--life-ms", 15_000);
        slackMs = given.option("--slack-ms", 500);
        this.report = report;
        random = new Random(seed);
    }

    /** Returns 0 without a fault. */
    @Override
    public int run() throws Exception {
        PushMedia media = CameraSource.SMALL.media(longestMs / 1_000 + 10);
        Samples startMs = new Samples();
        try (TouchlineServer server = TouchlineServer.startFromClassPath()) {
            List<Recorded> streams = streams(server);
            AfterCrash check = new AfterCrash(server, streams, slackMs);
            for (int killed = 1; killed <= kills; killed++) {
                Life life = oneLife(server, streams, media);
                if (killed < kills && random.nextInt(AGAIN) == 0) {
                    server.restart();
                    TimeUnit.MILLISECONDS.sleep(random.nextLong(LONGEST_RECOVERY_MS));
                    killed++;
                }
                Duration start = server.restart();
                startMs.add((double) start.toMillis());
                report.note(
                        "kill %d of %d (seed %d): ready again after %d ms, %d faults",
                        killed, kills, seed, start.toMillis(), check.check(life));
            }
            check.faults().forEach(fault -> report.note("fault: %s", fault));
            if (!check.faults().isEmpty()) {
                Files.copy(
                        server.log(),
                        report.folder().resolve("crash-server.log"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            check.addTo(report, kills, startMs.max());
            return check.faults().isEmpty() ? 0 : 1;
        }
    }

    /** Every second stream has latency mode low. */
    private static List<Recorded> streams(TouchlineServer server) throws Exception {
        List<Recorded> streams = new ArrayList<>();
        for (int i = 0; i < PUBLISHERS; i++) {
            boolean low = i % 2 == 1;
            String settings =
                    "{\"record\":true,\"reconnect_window\":0,\"latency_mode\":\"%s\"}"
                            .formatted(low ? "low" : "standard");
            streams.add(new Recorded(server.stream(settings), low));
        }
        return streams;
    }

    /**
     * The input of the server between two kills.
     *
     * @param sentMs media that each stream's encoder sent; -1 for a completed session
     * @param done requests of operators
     */
    record Life(List<Long> sentMs, Operators.Done done) {}

    /** Pushes, sends requests, and kills. */
    private Life oneLife(TouchlineServer server, List<Recorded> streams, PushMedia media)
            throws Exception {
        long lifeMs = LEAST_MS + random.nextLong(longestMs - LEAST_MS);
        List<Long> sentMs;
        Operators operators;
        try (Senders senders =
                Senders.start(streams.stream().map(Recorded::stream).toList(), media)) {
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
