package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.assets.AssetRequests;
import touchline.benchmarks.load.Bounds;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.TouchlineServer;

/** Whether each clip and each transcoding was done to its end, once. One thread. */
final class JobChecks {
    /** Of a duration: a frame, and the last audio frame. */
    private static final double CLOSE_S = 0.1;

    private final Cluster cluster;
    private final JobReceiver receiver;
    private final Bounds bounds;
    private final Report report;
    private final List<String> faults = new ArrayList<>();

    JobChecks(Cluster cluster, JobReceiver receiver, Bounds bounds, Report report) {
        this.cluster = cluster;
        this.receiver = receiver;
        this.bounds = bounds;
        this.report = report;
    }

    private TouchlineServer anyNode() {
        return cluster.nodes().getFirst().server();
    }

    /**
     * @param recording asset of which all is made
     * @param clips their assets
     * @param tasks of transcoding
     */
    void check(String recording, List<String> clips, List<String> tasks)
            throws IOException, InterruptedException {
        int wholeClips = clips(recording, clips);
        int wholeTasks = tasks(tasks);
        Command.Result verified = anyNode().run(List.of("storage", "verify", "--orphans"));
        if (verified.exit() != 0) {
            faults.add("storage verify: " + verified.text().strip());
        }
        faults.forEach(fault -> report.note("fault: %s", fault));
        Report.Table table = report.table("jobs", "work | asked | done once, and whole");
        table.row("clips", clips.size(), wholeClips);
        table.row("transcodings", tasks.size(), wholeTasks);
        bounds.none("faults", faults.size());
    }

    /** No others exist; each has its length, decodes, and was announced once. */
    private int clips(String recording, List<String> asked)
            throws IOException, InterruptedException {
        Map<String, JsonNode> known = new HashMap<>();
        anyNode()
                .each(
                        AssetRequests.ASSETS,
                        asset -> known.put(asset.path("asset_id").asText(), asset));
        Set<String> others = new TreeSet<>(known.keySet());
        others.removeAll(asked);
        others.remove(recording);
        if (!others.isEmpty()) {
            faults.add("assets that nobody asked for: " + others);
        }
        if (new HashSet<>(asked).size() < asked.size()) {
            faults.add("two requests were answered with the same clip");
        }
        int whole = 0;
        for (int i = 0; i < asked.size(); i++) {
            ClusterNode node = cluster.nodes().get(i % cluster.nodes().size());
            String id = asked.get(i);
            String fault = clip(node, known.get(id), receiver.readyEvents(id));
            if (fault.isEmpty()) {
                whole++;
            } else {
                faults.add("clip " + id + ": " + fault);
            }
        }
        return whole;
    }

    /** Returns what is wrong, or nothing. */
    private static String clip(ClusterNode node, @Nullable JsonNode asset, int events)
            throws IOException, InterruptedException {
        if (asset == null || !AssetRequests.hasEnded(asset)) {
            return "not ready: " + asset;
        }
        if (events != 1) {
            return events + " events asset.ready (expected: 1)";
        }
        double seconds = asset.path("duration").asDouble();
        if (Math.abs(seconds - JobLoad.CLIP_S) > CLOSE_S) {
            return seconds + " s (expected: " + JobLoad.CLIP_S + ")";
        }
        return Decoder.complaint(AssetRequests.mp4(node.server(), asset));
    }

    /** Each succeeded, was announced with one result, and has the objects of its format. */
    private int tasks(List<String> asked) throws IOException, InterruptedException {
        Map<String, Set<Path>> objects = cluster.s3().orElseThrow().objects(JobLoad.PREFIX);
        Set<String> others = new TreeSet<>(objects.keySet());
        others.removeAll(asked);
        if (!others.isEmpty()) {
            faults.add("objects of no task: " + others);
        }
        Map<String, Set<String>> names = new HashMap<>();
        int whole = 0;
        for (String id : asked) {
            JsonNode task = anyNode().get("/vodencoding/v1/tasks/" + id);
            String fault = task(task, objects.getOrDefault(id, Set.of()), names);
            if (fault.isEmpty()) {
                whole++;
            } else {
                faults.add("transcoding " + id + ": " + fault);
            }
        }
        return whole;
    }

    private String task(JsonNode task, Set<Path> objects, Map<String, Set<String>> names)
            throws IOException, InterruptedException {
        String id = task.path("task_id").asText();
        if (!task.path("status").asText().equals("succeeded")) {
            return "not done: " + task;
        }
        if (receiver.results(id).size() != 1) {
            return "announced results: " + receiver.results(id);
        }
        Set<String> own = new TreeSet<>();
        objects.forEach(file -> own.add(file.getFileName().toString()));
        boolean isMp4 = own.contains("output.mp4");
        Set<String> expected = names.computeIfAbsent(isMp4 ? "mp4" : "hls", _ -> own);
        if (!own.equals(expected)) {
            return "objects: " + own + " (expected: " + expected + ")";
        }
        for (Path file : objects) {
            String name = file.getFileName().toString();
            if (name.equals("output.mp4") || name.equals("index.m3u8")) {
                double seconds = seconds(file);
                return Math.abs(seconds - JobLoad.RECORDING_S) > CLOSE_S
                        ? seconds + " s (expected: " + JobLoad.RECORDING_S + ")"
                        : Decoder.complaint(file);
            }
        }
        return "no output: " + own;
    }

    private static double seconds(Path file) throws IOException, InterruptedException {
        return Double.parseDouble(
                Command.require(
                                Command.words(
                                        "ffprobe -v error -show_entries format=duration -of csv=p=0"
                                                + " %s",
                                        file))
                        .text()
                        .strip());
    }
}
