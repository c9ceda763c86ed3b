package touchline.benchmarks.latency;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.LowLatencyPlaylist.Item;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * From the push of an access unit to the moment a viewer has loaded the part that holds it. The
 * encoder sends each unit when it is due; the viewer uses blocking playlist reloads.
 *
 * <p>Media time T is covered once the durations of the listed parts reach T. A part that ends at T
 * and is loaded at time {@code now} is ready {@code now - (start + T)} after its last frame. Its
 * other frames are older by their distance to that frame.
 */
final class PartLatency {
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    /** Maximum delay of sending a unit: alone, and beside others. */
    private static final long ALONE_ROUND_MS = 2;

    private static final long BESIDE_ROUND_MS = 5;

    /** Seconds of media at the start that do not count. */
    private static final double SKIPPED_SECONDS = 6;

    private static final int AGES_PER_PART = 20;

    /** More than the delay of any part. */
    private static final double MOST_BEHIND_SECONDS = 3;

    private final Report report;
    private final Report.Table table;

    PartLatency(Report report) {
        this.report = report;
        this.table =
                report.table(
                        "push_to_part",
                        "other publishers | parts | part s | ready after last frame ms, median"
                                + " | p95 | frame age when fetched ms, median | p95 | not fetched"
                                + " | sender most behind ms");
    }

    /**
     * Adds a row to the table.
     *
     * @param others publishers beside the watched one
     */
    void run(int others, Duration time) throws Exception {
        report.note("push to part: beside %d other publishers", others);
        PushMedia media = CameraSource.CAMERA.media(time.toSeconds() + 20);
        long roundMs = others == 0 ? ALONE_ROUND_MS : BESIDE_ROUND_MS;
        try (TouchlineServer server = TouchlineServer.start()) {
            List<LiveAddress> streams = server.streams(1 + others, "low");
            try (Senders senders = Senders.start(streams, media, roundMs);
                    LiveEdge edge = LiveEdge.open(streams.getFirst().watch(), START_LIMIT)) {
                Ages ages = new Ages(senders.startNs(), edge.playlist());
                long endNs = senders.startNs() + time.toNanos();
                while (System.nanoTime() < endNs) {
                    for (Item part : edge.reload()) {
                        ages.loaded(part, edge.connection().get(part.address()).status());
                    }
                }
                senders.requireAlive();
                ages.row(table, others, senders.mostBehindMs());
            }
        }
    }

    /** The measurements of one viewer, in milliseconds. */
    private static final class Ages {
        private final long startNs;
        private final Samples readyMs = new Samples();
        private final Samples ageMs = new Samples();
        private final Samples partSeconds = new Samples();

        private double coveredSeconds;
        private int notLoaded;

        /**
         * @param first reaches back to the stream's start
         */
        private Ages(long startNs, LowLatencyPlaylist first) throws IOException {
            this.startNs = startNs;
            coveredSeconds = first.seconds();
            double pushedSeconds = (System.nanoTime() - startNs) / 1e9;
            if (pushedSeconds - coveredSeconds > MOST_BEHIND_SECONDS) {
                throw new IOException(
                        "the first playlist does not reach back to the start: %.1f s (pushed: %.1f s)"
                                .formatted(coveredSeconds, pushedSeconds));
            }
        }

        private void loaded(Item part, int status) {
            double nowSeconds = (System.nanoTime() - startNs) / 1e9;
            coveredSeconds += part.seconds();
            notLoaded += status == 200 ? 0 : 1;
            if (coveredSeconds - part.seconds() < SKIPPED_SECONDS) {
                return;
            }
            double afterSeconds = nowSeconds - coveredSeconds;
            readyMs.add(afterSeconds * 1000);
            partSeconds.add(part.seconds());
            for (int i = 0; i < AGES_PER_PART; i++) {
                ageMs.add((afterSeconds + part.seconds() * (i + 0.5) / AGES_PER_PART) * 1000);
            }
        }

        private void row(Report.Table table, int others, long mostBehindMs) {
            table.row(
                    others,
                    readyMs.count(),
                    partSeconds.median(),
                    readyMs.median(),
                    readyMs.percentile(95),
                    ageMs.median(),
                    ageMs.percentile(95),
                    notLoaded,
                    mostBehindMs);
        }
    }
}
