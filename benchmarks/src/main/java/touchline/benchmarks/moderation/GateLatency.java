package touchline.benchmarks.moderation;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist.Item;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;

/**
 * The latency that {@code gate: true} adds to a stream of latency mode low: the same push without a
 * gate and behind gates of several intervals, each with a viewer, all at once. The thresholds are
 * 1, so that every frame passes.
 */
public final class GateLatency implements Benchmark {
    private static final List<Integer> INTERVALS = List.of(1, 2, 5);
    private static final Duration START_LIMIT = Duration.ofSeconds(40);
    private static final long ROUND_MS = 2;
    private static final long POLL_MS = 20;

    /** Seconds of media at the start that do not count. */
    private static final double SKIPPED_SECONDS = 12;

    private final Duration measured;
    private final Report report;

    /** Seconds, 50 by default; the whole stream has to fit into the window of 60 s. */
    public GateLatency(Arguments given, Report report) {
        measured = Duration.ofSeconds(given.number(0, 50));
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        PushMedia media = CameraSource.CAMERA.media(measured.toSeconds() + 20);
        try (ModeratedServer moderated = ModeratedServer.start(1 + INTERVALS.size(), "low");
                ExecutorService viewers = Executors.newCachedThreadPool()) {
            List<LiveAddress> streams = moderated.streams();
            for (int i = 0; i < INTERVALS.size(); i++) {
                moderated.moderate(
                        streams.get(1 + i),
                        INTERVALS.get(i),
                        /* threshold= */ 1,
                        ", \"gate\": true");
            }
            report.note("a stream without a gate, and behind gates of %s s", INTERVALS);
            Report.Table table =
                    report.table(
                            "part_listed_after_its_last_frame_ms",
                            "gate's interval | parts | median | most | added, median | added, most"
                                    + " | verdict after its frame, median");
            try (Senders senders = Senders.start(streams, media, ROUND_MS)) {
                long endNs = senders.startNs() + measured.toNanos();
                List<Future<Samples>> watched = new ArrayList<>();
                for (int i = 0; i < streams.size(); i++) {
                    LiveAddress stream = streams.get(i);
                    long startNs = senders.startNs(i);
                    watched.add(viewers.submit(() -> watch(stream, startNs, endNs)));
                }
                Samples open = watched.getFirst().get();
                row(table, "none", open, open, new Samples());
                for (int i = 0; i < INTERVALS.size(); i++) {
                    Samples verdicts = verdicts(moderated, streams.get(1 + i));
                    row(table, INTERVALS.get(i) + " s", watched.get(1 + i).get(), open, verdicts);
                }
                senders.requireAlive();
            }
        }
        return 0;
    }

    private static Samples verdicts(ModeratedServer moderated, LiveAddress stream)
            throws IOException, InterruptedException {
        Samples verdicts = new Samples();
        moderated.eachFrame(
                stream,
                frame -> {
                    long judgedMs = frame.path("judged_at").asLong();
                    verdicts.add((double) (judgedMs - frame.path("captured_at").asLong()));
                });
        return verdicts;
    }

    private static void row(
            Report.Table table, String gate, Samples behind, Samples open, Samples verdicts) {
        table.row(
                gate,
                behind.count(),
                behind.median(),
                behind.max(),
                behind.median() - open.median(),
                behind.max() - open.max(),
                verdicts.median());
    }

    /** Media time T is listed once the durations of the parts from the stream's start reach T. */
    private static Samples watch(LiveAddress stream, long startNs, long endNs)
            throws IOException, InterruptedException {
        Samples behindMs = new Samples();
        try (LiveEdge edge = open(stream)) {
            double listedSeconds = edge.playlist().seconds();
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
    private static LiveEdge open(LiveAddress stream) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                return LiveEdge.open(stream.watch(), START_LIMIT);
            } catch (IOException e) {
                if (System.nanoTime() > deadlineNs) {
                    throw e;
                }
                Thread.sleep(POLL_MS);
            }
        }
    }
}
