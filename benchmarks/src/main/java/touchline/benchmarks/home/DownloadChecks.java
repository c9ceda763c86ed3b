package touchline.benchmarks.home;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import touchline.benchmarks.assets.AssetRequests;
import touchline.benchmarks.assets.Download;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Settling;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Downloads a recording as MP4 from a node that has nothing of it, and then from both nodes in
 * turns. One thread.
 */
final class DownloadChecks {
    private static final double FIRST_BYTE_MS = 1_000;
    private static final double CACHED_RATIO = 0.9;

    /** Less costs too few of the 10 ms steps in which the system counts CPU time. */
    private static final long TURN_BYTES = 2_000_000_000;

    /** Turns after which the warm-up ends in any case. */
    private static final int MOST_WARM_UPS = 12;

    private final Nodes nodes;
    private final JsonNode recording;
    private final JsonNode warmUp;
    private final int rounds;
    private final Report report;
    private final Bounds bounds;

    /**
     * @param warmUp another recording, which the other node fetches before each measurement: so it
     *     has used its connections to S3 before
     */
    DownloadChecks(
            Nodes nodes,
            JsonNode recording,
            JsonNode warmUp,
            int rounds,
            Report report,
            Bounds bounds) {
        this.nodes = nodes;
        this.recording = recording;
        this.warmUp = warmUp;
        this.rounds = rounds;
        this.report = report;
        this.bounds = bounds;
    }

    /** The other node has nothing of the recording in each round. */
    void cold() throws IOException, InterruptedException {
        Report.Table table =
                report.table(
                        "MP4 from a node that has nothing of it",
                        "round | first byte ms | at home, first byte ms | MB | all after s"
                                + " | CPU s | files from S3");
        Samples firstByteMs = new Samples();
        for (int i = 1; i <= rounds; i++) {
            nodes.emptyOther();
            Download _ = drain(nodes.other(), warmUp);
            Download local = drain(nodes.home(), recording);
            long before = nodes.fetchedFiles();
            try {
                Download cold = drain(nodes.other(), recording);
                firstByteMs.add(cold.firstByteMs());
                table.row(
                        i,
                        cold.firstByteMs(),
                        local.firstByteMs(),
                        cold.bytes() / 1e6,
                        cold.seconds(),
                        cold.cpuSeconds(),
                        nodes.fetchedFiles() - before);
            } catch (IOException e) {
                report.note("fault: the MP4 of a recording from S3: %s", e);
                firstByteMs.add(Double.POSITIVE_INFINITY);
                table.row(i, "-", local.firstByteMs(), "-", "-", "-", "-");
            }
        }
        bounds.atMost("first byte of the MP4 from S3, ms, most", firstByteMs.max(), FIRST_BYTE_MS);
    }

    /** The other node has all of the recording on its disk. */
    void cached() throws IOException, InterruptedException {
        Report.Table table =
                report.table(
                        "MP4 from a node that has fetched it",
                        "turn | at home, MB per CPU s | other node, MB per CPU s");
        Samples home = new Samples();
        Samples other = new Samples();
        settle();
        long fetched = nodes.fetchedFiles();
        for (int i = 1; i <= rounds; i++) {
            // In turns: what the host does beside them changes slowly.
            double ours;
            double theirs;
            if (i % 2 == 0) {
                ours = megabytesPerCpuSecond(nodes.home());
                theirs = megabytesPerCpuSecond(nodes.other());
            } else {
                theirs = megabytesPerCpuSecond(nodes.other());
                ours = megabytesPerCpuSecond(nodes.home());
            }
            table.row("turn " + i, ours, theirs);
            home.add(ours);
            other.add(theirs);
        }
        if (nodes.fetchedFiles() != fetched) {
            throw new IOException("files of a cached recording were fetched (expected: none)");
        }
        table.row("median", home.median(), other.median());
        bounds.atLeast(
                "MB per CPU s of the cached MP4, other node to home",
                other.median() / home.median(),
                CACHED_RATIO);
    }

    /** Fetches what is missing, and ends when the compilers of both servers have little to do. */
    private void settle() throws IOException, InterruptedException {
        Download _ = AssetRequests.await(nodes.other(), this::fetchedAtLast);
        Settling home = new Settling(/* compared= */ 2, MOST_WARM_UPS);
        Settling other = new Settling(/* compared= */ 2, MOST_WARM_UPS);
        while (!home.isOver() || !other.isOver()) {
            home.add(1 / megabytesPerCpuSecond(nodes.home()));
            other.add(1 / megabytesPerCpuSecond(nodes.other()));
        }
    }

    /** A node that does not have the files in time refuses, and goes on to fetch them. */
    private Optional<Download> fetchedAtLast() {
        try {
            return Optional.of(drain(nodes.other(), recording));
        } catch (IOException e) {
            report.note("the other node has not fetched the recording yet: %s", e);
            return Optional.empty();
        }
    }

    private double megabytesPerCpuSecond(TouchlineServer server) throws IOException {
        double bytes = 0;
        double cpuSeconds = 0;
        while (bytes < TURN_BYTES) {
            Download download = drain(server, recording);
            bytes += download.bytes();
            cpuSeconds += download.cpuSeconds();
        }
        return bytes / 1e6 / cpuSeconds;
    }

    private static Download drain(TouchlineServer server, JsonNode asset) throws IOException {
        URI mp4 = AssetRequests.mp4(server, asset);
        return Download.drain(mp4, server.process());
    }
}
