package touchline.benchmarks.moderation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.LowLatencyPlaylist.Item;
import touchline.benchmarks.load.MeasuredServer.Stream;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;

/**
 * What {@code gate: true} adds to the latency of a low stream: the same push without a gate and
 * behind gates of several intervals, each followed by a viewer with blocking reload, all at once.
 * The thresholds are 1, so that every frame passes.
 */
public final class GateLatency {
    private static final List<Integer> INTERVALS = List.of(1, 2, 5);
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final long ROUND_MS = 2;
    private static final long POLL_MS = 20;

    /** Seconds of media at the start that do not count. */
    private static final double SKIPPED_SECONDS = 12;

    /**
     * @param measured how long is pushed
     */
    public record Plan(Duration measured) {
        /** 50 seconds unless given; the whole stream has to lie in the window of 60. */
        public static Plan of(Arguments given) {
            return new Plan(Duration.ofSeconds(given.number(0, 50)));
        }
    }

    private final Path launcher;
    private final Report report;

    public GateLatency(Path launcher, Report report) {
        this.launcher = launcher;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured. */
    public int run(Plan plan, Path results) throws Exception {
        PushMedia media = CameraSource.media(plan.measured().toSeconds() + 20);
        List<List<Object>> rows = new ArrayList<>();
        try (ModeratedServer server = ModeratedServer.start(launcher, 1 + INTERVALS.size(), "low");
                ExecutorService viewers = Executors.newCachedThreadPool()) {
            for (int i = 0; i < INTERVALS.size(); i++) {
                server.moderate(1 + i, INTERVALS.get(i), /* threshold= */ 1, ", \"gate\": true");
            }
            report.note("a stream without a gate, and behind gates of %s s", INTERVALS);
            try (Senders senders = Senders.start(server.streams(), media, ROUND_MS)) {
                long endNs = senders.startNs() + plan.measured().toNanos();
                List<Future<Samples>> watched = new ArrayList<>();
                for (int i = 0; i < server.streams().size(); i++) {
                    Stream stream = server.streams().get(i);
                    long startNs = senders.startNs(i);
                    Callable<Samples> viewer = () -> new Viewer(startNs, endNs).watch(stream);
                    watched.add(viewers.submit(viewer));
                }
                Samples open = watched.getFirst().get();
                rows.add(row("none", open, open, new Samples()));
                for (int i = 0; i < INTERVALS.size(); i++) {
                    String gate = INTERVALS.get(i) + " s";
                    rows.add(row(gate, watched.get(1 + i).get(), open, verdicts(server, 1 + i)));
                }
                if (!senders.dead().isEmpty()) {
                    throw new IOException("encoders were lost: " + senders.dead());
                }
            }
        }
        report.table(
                "part_listed_after_its_last_frame_ms",
                List.of(
                        "gate's interval",
                        "parts",
                        "median",
                        "most",
                        "added, median",
                        "added, most",
                        "verdict after its frame, median"),
                rows);
        report.finish(results);
        return 0;
    }

    private static Samples verdicts(ModeratedServer server, int stream)
            throws IOException, InterruptedException {
        Samples verdicts = new Samples();
        server.eachFrame(
                stream,
                frame ->
                        verdicts.add(
                                (double)
                                        (frame.path("judged_at").asLong()
                                                - frame.path("captured_at").asLong())));
        return verdicts;
    }

    private static List<Object> row(String gate, Samples behind, Samples open, Samples verdicts) {
        return List.of(
                gate,
                behind.count(),
                behind.median(),
                behind.max(),
                behind.median() - open.median(),
                behind.max() - open.max(),
                verdicts.median());
    }

    /**
     * One thread; media time T is listed once the parts from the stream's start on sum up to it.
     */
    private static final class Viewer {
        private final long startNs;
        private final long endNs;
        private final Samples behindMs = new Samples();
        private double listedSeconds;

        private Viewer(long startNs, long endNs) {
            this.startNs = startNs;
            this.endNs = endNs;
        }

        private Samples watch(Stream stream) throws IOException, InterruptedException {
            try (LiveEdge edge = open(stream)) {
                first(edge.playlist());
                while (System.nanoTime() < endNs) {
                    List<Item> parts = edge.reload();
                    double nowSeconds = (System.nanoTime() - startNs) / 1e9;
                    for (Item part : parts) {
                        listedSeconds += part.seconds();
                        if (listedSeconds > SKIPPED_SECONDS) {
                            behindMs.add((nowSeconds - listedSeconds) * 1_000);
                        }
                    }
                }
            }
            return behindMs;
        }

        /** A stream behind a gate has no playlist before its second frame has passed. */
        private LiveEdge open(Stream stream) throws IOException, InterruptedException {
            long deadlineNs = System.nanoTime() + SOON.toNanos();
            while (true) {
                try {
                    return LiveEdge.open(stream.watch(), SOON);
                } catch (IOException e) {
                    if (System.nanoTime() > deadlineNs) {
                        throw e;
                    }
                    Thread.sleep(POLL_MS);
                }
            }
        }

        /** What was there before: it is listed, but since when is not known. */
        private void first(LowLatencyPlaylist playlist) {
            long sealed = -1;
            for (Item segment : playlist.segments()) {
                listedSeconds += segment.seconds();
                sealed = segment.mediaSequence();
            }
            for (Item part : playlist.parts()) {
                listedSeconds += part.mediaSequence() > sealed ? part.seconds() : 0;
            }
        }
    }
}
