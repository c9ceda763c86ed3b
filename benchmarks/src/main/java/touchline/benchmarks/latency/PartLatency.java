package touchline.benchmarks.latency;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * From the push of an access unit to the moment a viewer has fetched the part it is in: one viewer
 * with blocking reload, an encoder that sends each unit when it is due, alone and beside others.
 *
 * <p>Media time T is covered once the listed parts from the stream's start on sum up to it. A part
 * that ends at T and was fetched at time {@code now} was ready {@code now - (start + T)} after its
 * last frame; the age of its other frames is that much more, spread evenly over its duration.
 */
final class PartLatency {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** How late a unit may leave the sender: alone, and beside others. */
    private static final long ALONE_ROUND_MS = 2;

    private static final long BESIDE_ROUND_MS = 5;

    /** Seconds of media at the start that do not count. */
    private static final double SKIPPED_SECONDS = 6;

    private static final int AGES_PER_PART = 20;

    /** More than any part is late by. */
    private static final double MOST_BEHIND_SECONDS = 3;

    private final Path launcher;
    private final Report report;

    PartLatency(Path launcher, Report report) {
        this.launcher = launcher;
        this.report = report;
    }

    /** A row of the table: {@code others} publishers besides the one that is watched. */
    List<Object> run(int others, Duration time) throws Exception {
        report.note("push to part: beside %d other publishers", others);
        PushMedia media = CameraSource.media(time.toSeconds() + 20);
        List<String> modes = Collections.nCopies(1 + others, "low");
        long roundMs = others == 0 ? ALONE_ROUND_MS : BESIDE_ROUND_MS;
        try (TouchlineServer server = TouchlineServer.start(launcher, modes);
                Senders senders = Senders.start(server.streams(), media, roundMs);
                LiveEdge edge = LiveEdge.open(server.streams().getFirst().watch(), SOON)) {
            Ages ages = new Ages(senders.startNs());
            ages.first(edge.playlist());
            long endNs = senders.startNs() + time.toNanos();
            while (System.nanoTime() < endNs) {
                for (LowLatencyPlaylist.Item part : edge.reload()) {
                    ages.fetched(part, edge.connection().get(part.address()).status());
                }
            }
            if (!senders.dead().isEmpty()) {
                throw new IOException("encoders were lost: " + senders.dead());
            }
            return ages.row(others, senders.mostBehindMs());
        }
    }

    static List<String> columns() {
        return List.of(
                "other publishers",
                "parts",
                "part s",
                "ready after last frame ms, median",
                "p95",
                "frame age when fetched ms, median",
                "p95",
                "not fetched",
                "sender most behind ms");
    }

    /** What one viewer has seen; in milliseconds. */
    private static final class Ages {
        private final long startNs;
        private final Samples readyMs = new Samples();
        private final Samples ageMs = new Samples();
        private final Samples partSeconds = new Samples();

        private double coveredSeconds;
        private int notFetched;

        private Ages(long startNs) {
            this.startNs = startNs;
        }

        /**
         * What was listed when the viewer came: it is covered, but its age is not known. The window
         * still reaches back to the stream's start.
         */
        private void first(LowLatencyPlaylist playlist) throws IOException {
            long sealed = -1;
            for (LowLatencyPlaylist.Item segment : playlist.segments()) {
                coveredSeconds += segment.seconds();
                sealed = segment.mediaSequence();
            }
            for (LowLatencyPlaylist.Item part : playlist.parts()) {
                coveredSeconds += part.mediaSequence() > sealed ? part.seconds() : 0;
            }
            double pushedSeconds = (System.nanoTime() - startNs) / 1e9;
            if (pushedSeconds - coveredSeconds > MOST_BEHIND_SECONDS) {
                throw new IOException(
                        "pushed %.1f s, listed %.1f s: the viewer does not see the start"
                                .formatted(pushedSeconds, coveredSeconds));
            }
        }

        private void fetched(LowLatencyPlaylist.Item part, int status) {
            double nowSeconds = (System.nanoTime() - startNs) / 1e9;
            coveredSeconds += part.seconds();
            if (status != 200) {
                notFetched++;
            }
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

        private List<Object> row(int others, long mostBehindMs) {
            return new ArrayList<>(
                    List.of(
                            others,
                            readyMs.count(),
                            partSeconds.median(),
                            readyMs.median(),
                            readyMs.percentile(95),
                            ageMs.median(),
                            ageMs.percentile(95),
                            notFetched,
                            mostBehindMs));
        }
    }
}
