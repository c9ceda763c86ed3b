package touchline.benchmarks.home;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import touchline.benchmarks.assets.AssetRequests;
import touchline.benchmarks.cluster.ClusterDatabase;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.TouchlineServer;
import touchline.benchmarks.s3.S3Process;

/**
 * Recordings in S3: MP4 and clips at a node of a cluster that did not record them, beside the node
 * that did; and what the upload costs while a stream is recorded.
 */
public final class HomeLoad implements Benchmark {
    private static final int SECONDS_PER_HOUR = 3_600;
    private static final int WARM_UP_SECONDS = 60;
    private static final int LEAST_SECONDS = ClipTimes.SECONDS + 60;

    private final int seconds;
    private final int rounds;
    private final UploadCost upload;
    private final Report report;
    private final Bounds bounds = new Bounds();

    /**
     * Hours of the recording, such as 0.2, and rounds of downloads and clips: 1 and 5 by default.
     * Without hours only the upload is measured. Its options: {@link UploadCost}.
     */
    public HomeLoad(Arguments given, Report report) {
        seconds = (int) Math.round(Double.parseDouble(given.text(0, "1")) * SECONDS_PER_HOUR);
        if (seconds != 0 && seconds < LEAST_SECONDS) {
            throw new IllegalArgumentException(
                    "seconds: " + seconds + " (expected: 0, or >= " + LEAST_SECONDS + ")");
        }
        rounds = Math.max(1, given.number(1, 5));
        upload = new UploadCost(given, report);
        this.report = report;
    }

    /** Returns 1 if a bound is missed. */
    @Override
    public int run() throws Exception {
        if (seconds > 0) {
            nodes();
        }
        measure("upload", () -> upload.run(bounds));
        bounds.addTo(report);
        return bounds.areKept() ? 0 : 1;
    }

    private void nodes() throws Exception {
        try (ClusterDatabase database = ClusterDatabase.start();
                S3Process s3 = S3Process.start();
                TouchlineServer home = Nodes.start("node-1", database, s3);
                TouchlineServer other = Nodes.start("node-2", database, s3)) {
            Nodes nodes = new Nodes(home, other);
            JsonNode warmUp = recorded(home, WARM_UP_SECONDS);
            JsonNode recording = recorded(home, seconds);
            report.note("both are in S3, by %d PUTs", s3.putSeconds().count());
            DownloadChecks downloads =
                    new DownloadChecks(nodes, recording, warmUp, rounds, report, bounds);
            ClipTimes clips = new ClipTimes(nodes, report);
            List<Double> starts = ClipPlaces.of(seconds, ClipTimes.SECONDS, rounds);
            measure("MP4 of a node that has nothing of it", downloads::cold);
            measure("clips", () -> clips.run(recording, warmUp, starts, bounds));
            measure("MP4 of a node that has fetched it", downloads::cached);
            keepLog(home, "node-1");
            keepLog(other, "node-2");
        }
    }

    private void keepLog(TouchlineServer node, String name) throws IOException {
        Files.copy(
                node.log(),
                report.folder().resolve("home-" + name + ".log"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** A part of the run. */
    @FunctionalInterface
    private interface Measurement {
        void run() throws IOException, InterruptedException;
    }

    /** The others go on if one fails. */
    private void measure(String name, Measurement measurement) throws InterruptedException {
        try {
            measurement.run();
        } catch (IOException e) {
            report.note("fault: %s: %s", name, e);
            bounds.failed(name);
        }
    }

    /** Returns it when it is in S3. */
    private JsonNode recorded(TouchlineServer home, int length)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        JsonNode asset = AssetRequests.record(home, length, Path.of("/dev/null"));
        double recordedS = (System.nanoTime() - startNs) / 1e9;
        AssetRequests.awaitUploads(home);
        report.note(
                "%d s were recorded in %.1f s, and in S3 after %.1f s",
                length, recordedS, (System.nanoTime() - startNs) / 1e9);
        return asset;
    }
}
