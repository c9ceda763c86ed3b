package touchline.benchmarks.home;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import touchline.benchmarks.assets.AssetRequests;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Cuts the same clips at both nodes in turns. The other node has none of the files that a clip
 * needs. One thread.
 */
final class ClipTimes {
    /** Of each clip. */
    static final int SECONDS = 60;

    private static final double RATIO = 2;

    /** Of a clip that starts the process which encodes its ends. */
    private static final int WARM_UP_SECONDS = 10;

    private final Nodes nodes;
    private final Report report;

    ClipTimes(Nodes nodes, Report report) {
        this.nodes = nodes;
        this.report = report;
    }

    /**
     * @param starts of the clips, so far apart that no two need the same file
     * @param warmUp another recording, from which both nodes cut a clip before
     */
    void run(JsonNode recording, JsonNode warmUp, List<Double> starts, Bounds bounds)
            throws IOException, InterruptedException {
        nodes.emptyOther();
        for (TouchlineServer node : List.of(nodes.home(), nodes.other())) {
            double _ = cutMs(node, warmUp, 0.7, WARM_UP_SECONDS);
        }
        Report.Table table =
                report.table(
                        "clips of " + SECONDS + " s",
                        "from s | at home, ready after ms | other node, ready after ms | ratio"
                                + " | files from S3");
        Samples home = new Samples();
        Samples other = new Samples();
        for (int i = 0; i < starts.size(); i++) {
            double start = starts.get(i);
            long before = nodes.fetchedFiles();
            double ours;
            double theirs;
            if (i % 2 == 0) {
                ours = cutMs(nodes.home(), recording, start, SECONDS);
                theirs = cutMs(nodes.other(), recording, start, SECONDS);
            } else {
                theirs = cutMs(nodes.other(), recording, start, SECONDS);
                ours = cutMs(nodes.home(), recording, start, SECONDS);
            }
            long fetched = nodes.fetchedFiles() - before;
            if (fetched == 0) {
                throw new IOException("a clip needed no file from S3 (expected: some)");
            }
            table.row(start, ours, theirs, theirs / ours, fetched);
            home.add(ours);
            other.add(theirs);
        }
        table.row("median", home.median(), other.median(), other.median() / home.median(), "-");
        bounds.atMost(
                "time of a clip of 60 s, other node to home",
                other.median() / home.median(),
                RATIO);
    }

    /**
     * @throws IOException the clip failed, or another node has cut it
     */
    private static double cutMs(TouchlineServer node, JsonNode source, double start, int seconds)
            throws IOException, InterruptedException {
        String body =
                String.format(
                        Locale.ROOT,
                        "{\"asset_id\":\"%s\",\"start_time\":%.1f,\"end_time\":%.1f}",
                        source.path("asset_id").asText(),
                        start,
                        start + seconds);
        long startNs = System.nanoTime();
        JsonNode clip = AssetRequests.cut(node, body);
        double ms = (System.nanoTime() - startNs) / 1e6;
        // The next clip is not measured beside the upload of this one.
        AssetRequests.awaitUploads(node);
        String id = clip.path("asset_id").asText();
        if (!Files.exists(node.data().resolve("assets").resolve(id))) {
            throw new IOException("clip " + id + " was cut at another node than the one asked");
        }
        return ms;
    }
}
