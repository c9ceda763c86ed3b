package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import touchline.benchmarks.assets.AssetRequests;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.TouchlineServer;
import touchline.benchmarks.s3.S3Process;

/**
 * Clips and transcodings of one recording, asked of all nodes while these are killed: each is done
 * to its end, once. A request that fails is sent again with the same {@code Idempotency-Key}.
 */
public final class JobLoad implements Benchmark {
    static final int RECORDING_S = 60;
    static final int CLIP_S = 5;

    /** Of the objects that transcoding makes. */
    static final String PREFIX = "vod";

    /** Work that is not done yet, at most: a queue that every kill hits. */
    private static final int WAITING = 8;

    private static final int LONGEST_REST_MS = 4_000;
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration DONE = Duration.ofMinutes(15);
    private static final Duration POLL = Duration.ofMillis(100);

    private final int nodes;
    private final int clips;
    private final int transcodings;
    private final int kills;
    private final Random random;
    private final Report report;
    private final Bounds bounds = new Bounds();

    /** Nodes, clips, transcodings and kills: 3, 100, 20 and 20 by default; {@code --seed}. */
    public JobLoad(Arguments given, Report report) {
        nodes = given.number(0, 3);
        clips = given.number(1, 100);
        transcodings = given.number(2, 20);
        kills = given.number(3, 20);
        random = new Random(given.option("--seed", 1));
        this.report = report;
    }

    /** Returns 1 if something is not done, or done twice. */
    @Override
    public int run() throws Exception {
        try (Cluster cluster =
                        Cluster.start(
                                nodes,
                                new Cluster.Means(
                                        /* links= */ false, /* clocks= */ false, /* s3= */ true));
                JobReceiver receiver = new JobReceiver()) {
            TouchlineServer first = cluster.nodes().getFirst().server();
            JsonNode _ =
                    first.post(
                            "/system/v1/webhooks",
                            "{\"url\":\"%s\",\"events\":[\"*\"]}".formatted(receiver.events()));
            JsonNode recording = AssetRequests.record(first, RECORDING_S, Path.of("/dev/null"));
            String id = recording.path("asset_id").asText();
            AssetRequests.awaitUploads(first);
            Work work = new Work(cluster, receiver, id, storage(cluster, receiver));
            long startNs = System.nanoTime();
            work.ask(shuffled());
            boolean done = work.awaitDone(DONE);
            report.note(
                    "%d clips and %d transcodings, %d kills: %s after %.1f s",
                    clips,
                    transcodings,
                    work.killed,
                    done ? "done" : "NOT done",
                    (System.nanoTime() - startNs) / 1e9);
            new JobChecks(cluster, receiver, bounds, report)
                    .check(id, List.copyOf(work.clips), List.copyOf(work.tasks));
        }
        bounds.addTo(report);
        return bounds.areKept() ? 0 : 1;
    }

    private static String storage(Cluster cluster, JobReceiver receiver)
            throws IOException, InterruptedException {
        SharedS3 s3 = cluster.s3().orElseThrow();
        return cluster.nodes()
                .getFirst()
                .server()
                .post(
                        "/vodencoding/v1/add_storage",
                        S3Process.storage(s3.endpoint(), PREFIX, receiver.tasks()))
                .path("storage_id")
                .asText();
    }

    /** True for a transcoding. */
    private List<Boolean> shuffled() {
        List<Boolean> all = new ArrayList<>(Collections.nCopies(clips, false));
        all.addAll(Collections.nCopies(transcodings, true));
        Collections.shuffle(all, random);
        return all;
    }

    /** What was asked, and the kills meanwhile. One thread. */
    private final class Work {
        private final Cluster cluster;
        private final JobReceiver receiver;
        private final String recording;
        private final String storage;
        private final List<String> clips = new ArrayList<>();
        private final List<String> tasks = new ArrayList<>();
        private int killed;
        private long nextKillNs = System.nanoTime();

        Work(Cluster cluster, JobReceiver receiver, String recording, String storage) {
            this.cluster = cluster;
            this.receiver = receiver;
            this.recording = recording;
            this.storage = storage;
        }

        void ask(List<Boolean> all) throws IOException, InterruptedException {
            for (boolean isTranscoding : all) {
                while (waiting() >= WAITING) {
                    step();
                }
                step();
                if (isTranscoding) {
                    tasks.add(
                            asked(
                                    "/vodencoding/v1/tasks",
                                    "{\"storage_id\":\"%s\",\"input\":\"asset:%s\",\"outputs\":[%s]}"
                                            .formatted(
                                                    storage,
                                                    recording,
                                                    tasks.size() % 2 == 0
                                                            ? "{\"format\":\"mp4\",\"height\":240}"
                                                            : "{\"format\":\"hls\",\"height\":240}"),
                                    "/tasks/0/task_id"));
                } else {
                    double from = random.nextInt(10 * (RECORDING_S - CLIP_S)) / 10.0;
                    clips.add(
                            asked(
                                    "/video-streams/v1/video/clip",
                                    String.format(
                                            Locale.ROOT,
                                            "{\"asset_id\":\"%s\",\"start_time\":%.1f,"
                                                    + "\"end_time\":%.1f}",
                                            recording,
                                            from,
                                            from + CLIP_S),
                                    "/asset_id"));
                }
            }
        }

        boolean awaitDone(Duration limit) throws InterruptedException {
            long endNs = System.nanoTime() + limit.toNanos();
            while ((waiting() > 0 || killed < kills) && System.nanoTime() - endNs < 0) {
                step();
            }
            return waiting() == 0;
        }

        private long waiting() {
            return clips.stream().filter(id -> receiver.readyEvents(id) == 0).count()
                    + tasks.stream().filter(id -> receiver.results(id).isEmpty()).count();
        }

        /** Kills a node if all have been up for a while. */
        private void step() throws InterruptedException {
            long nowNs = System.nanoTime();
            if (!cluster.isReady()) {
                nextKillNs = nowNs + Duration.ofMillis(random.nextInt(LONGEST_REST_MS)).toNanos();
            } else if (killed < kills && nowNs - nextKillNs > 0) {
                cluster.nodes().get(random.nextInt(nodes)).kill();
                killed++;
                return;
            }
            Thread.sleep(POLL);
        }

        /** Of any node, until one has answered. */
        private String asked(String path, String body, String answer)
                throws IOException, InterruptedException {
            String key = UUID.randomUUID().toString();
            IOException failure = new IOException("nobody was asked");
            long endNs = System.nanoTime() + SOON.toNanos();
            while (System.nanoTime() - endNs < 0) {
                try {
                    TouchlineServer server = cluster.nodes().get(random.nextInt(nodes)).server();
                    return server.post(path, body, key).at(answer).asText();
                } catch (IOException e) {
                    failure = e;
                    step();
                }
            }
            throw failure;
        }
    }
}
