package touchline.benchmarks.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
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
 * cut, sessions completed and assets deleted, and looks after each start at what is left.
 */
public final class CrashLoad {
    private static final long LEAST_MS = 200;

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
            for (int round = 1; round <= plan.kills(); round++) {
                List<Long> sentMs = oneLife(server, streams, media);
                Duration start = server.start();
                startMs.add((double) start.toMillis());
                int faults = check.look(sentMs);
                report.note(
                        "kill %d of %d (seed %d): ready again after %d ms, %d faults",
                        round, plan.kills(), plan.seed(), start.toMillis(), faults);
            }
            check.faults().forEach(fault -> report.note("fault: %s", fault));
            report.table(
                    "crash",
                    List.of(
                            "kills",
                            "recordings ready",
                            "errored with a reason",
                            "clips",
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

    /** Pushes, disturbs, and kills. Says how far each encoder came; -1 where that says nothing. */
    private List<Long> oneLife(KillableServer server, List<Recorded> streams, PushMedia media)
            throws Exception {
        long lifeMs = LEAST_MS + random.nextLong(plan.longest().toMillis() - LEAST_MS);
        List<Long> sentMs;
        Disturbance disturbance;
        try (Senders senders =
                Senders.start(streams.stream().map(Recorded::addresses).toList(), media)) {
            disturbance = new Disturbance(server, streams, new Random(random.nextLong()), lifeMs);
            disturbance.start();
            TimeUnit.MILLISECONDS.sleep(lifeMs);
            server.kill();
            senders.stop();
            sentMs = new ArrayList<>(senders.sentMs());
        }
        disturbance.join();
        disturbance.completed().forEach(index -> sentMs.set(index, -1L));
        return sentMs;
    }

    /** What operators do meanwhile, and may be in the middle of. On a thread of its own. */
    private static final class Disturbance {
        private final KillableServer server;
        private final List<Recorded> streams;
        private final Random random;
        private final long lifeMs;
        private final List<Integer> completed = new ArrayList<>();
        private final Thread thread = Thread.ofVirtual().unstarted(this::run);

        Disturbance(KillableServer server, List<Recorded> streams, Random random, long lifeMs) {
            this.server = server;
            this.streams = streams;
            this.random = random;
            this.lifeMs = lifeMs;
        }

        void start() {
            thread.start();
        }

        void join() throws InterruptedException {
            thread.join();
        }

        /** Which streams' sessions were ended; after {@link #join}. */
        List<Integer> completed() {
            return completed;
        }

        private void run() {
            try {
                TimeUnit.MILLISECONDS.sleep(random.nextLong(lifeMs));
                switch (random.nextInt(3)) {
                    case 0 -> complete();
                    case 1 -> clip();
                    default -> delete();
                }
            } catch (IOException _) {
                // Killed in the middle of it, which is what this is about.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private void complete() throws IOException, InterruptedException {
            int index = random.nextInt(streams.size());
            completed.add(index);
            server.call(
                    "PUT", "/live/v1/live-streams/" + streams.get(index).id() + "/complete", "");
        }

        private void clip() throws IOException, InterruptedException {
            JsonNode asset = any();
            double seconds = asset.path("duration").asDouble();
            if (asset.path("status").asText().equals("ready") && seconds > 2) {
                server.call(
                        "POST",
                        "/video-streams/v1/video/clip",
                        "{\"asset_id\":\"%s\",\"start_time\":0.5,\"end_time\":%d}"
                                .formatted(asset.path("asset_id").asText(), (long) seconds));
            }
        }

        private void delete() throws IOException, InterruptedException {
            JsonNode asset = any();
            if (asset.has("asset_id") && !asset.path("is_live").asBoolean()) {
                server.call(
                        "DELETE", AfterCrash.ASSETS + "/" + asset.path("asset_id").asText(), "");
            }
        }

        private JsonNode any() throws IOException, InterruptedException {
            JsonNode assets = server.call("GET", AfterCrash.ASSETS + "?limit=20", "").path("data");
            return assets.path(assets.isEmpty() ? 0 : random.nextInt(assets.size()));
        }
    }
}
