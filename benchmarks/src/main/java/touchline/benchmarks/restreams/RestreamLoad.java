package touchline.benchmarks.restreams;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.Nginx;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * One stream of 2.5 Mbit/s is sent on to five targets (nginx with its rtmp module, or a second
 * server where that is not installed): CPU time of each target, as the difference to the same
 * stream without them; then the same beside targets that refuse, reset, and read 64 kbit/s.
 */
public final class RestreamLoad implements Benchmark {
    private static final int TARGETS = 5;
    private static final double MAX_CORES = 0.02;
    private static final Duration SETTLE = Duration.ofSeconds(5);
    private static final Duration START = Duration.ofSeconds(30);
    private static final long POLL_MS = 200;

    private final Duration warmUp;
    private final Duration measured;
    private final Report report;

    private record Usage(double cores, long residentBytes) {}

    /** Seconds of warm-up, and of each of the three measurements: 60 and 60 by default. */
    public RestreamLoad(Arguments given, Report report) {
        warmUp = Duration.ofSeconds(given.number(0, 60));
        measured = Duration.ofSeconds(given.number(1, 60));
        this.report = report;
    }

    /** Returns 0 if a target costs at most 0.02 cores and the good ones lose nothing. */
    @Override
    public int run() throws Exception {
        Optional<Nginx> nginx = Nginx.rtmp();
        if (nginx.isEmpty()) {
            report.note("nginx with its rtmp module is not installed: a second server instead");
            try (TouchlineServer other = TouchlineServer.start()) {
                return run(other.streams(TARGETS, "standard"));
            }
        }
        try (Nginx other = nginx.get()) {
            return run(other.streams(TARGETS));
        }
    }

    private int run(List<LiveAddress> targets) throws Exception {
        long seconds = warmUp.toSeconds() + 3 * measured.toSeconds() + 120;
        PushMedia media = CameraSource.CAMERA.media(seconds);
        try (TouchlineServer server =
                        TouchlineServer.start(Map.of("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8"));
                BadTargets bad = new BadTargets()) {
            LiveAddress stream = server.stream("{}");
            String path = "/live/v1/live-streams/" + stream.id() + "/restreams";
            List<String> good = new ArrayList<>();
            for (LiveAddress target : targets) {
                good.add(create(server, path, target.push()));
            }
            try (Senders senders = Senders.start(List.of(stream), media)) {
                awaitLive(server, path, good);
                Thread.sleep(warmUp);
                Usage with = measure(server);
                enable(server, path, good, false);
                Thread.sleep(SETTLE);
                Usage without = measure(server);
                enable(server, path, good, true);
                String slow = create(server, path, URI.create(bad.slow() + "/key"));
                String refusing = create(server, path, URI.create(bad.refusing() + "/key"));
                String resetting = create(server, path, URI.create(bad.resetting() + "/key"));
                awaitLive(server, path, good);
                Thread.sleep(SETTLE);
                Usage beside = measure(server);
                senders.requireAlive();
                return table(
                        List.of(with, without, beside),
                        states(server, path, good),
                        states(server, path, List.of(slow, refusing, resetting)));
            }
        }
    }

    private static String create(TouchlineServer server, String path, URI target)
            throws IOException, InterruptedException {
        String all = target.toString();
        int slash = all.lastIndexOf('/');
        return server.post(
                        path,
                        "{\"url\": \"%s\", \"stream_key\": \"%s\"}"
                                .formatted(all.substring(0, slash), all.substring(slash + 1)))
                .path("id")
                .asText();
    }

    private static void enable(
            TouchlineServer server, String path, List<String> restreams, boolean enabled)
            throws IOException, InterruptedException {
        for (String each : restreams) {
            server.call("PATCH", path + "/" + each, "{\"enabled\": " + enabled + "}");
        }
    }

    private static List<JsonNode> states(
            TouchlineServer server, String path, List<String> restreams)
            throws IOException, InterruptedException {
        List<JsonNode> states = new ArrayList<>();
        for (String each : restreams) {
            states.add(server.get(path + "/" + each));
        }
        return states;
    }

    private static void awaitLive(TouchlineServer server, String path, List<String> restreams)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + START.toNanos();
        while (!states(server, path, restreams).stream().allMatch(RestreamLoad::isLive)) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("not live: " + states(server, path, restreams));
            }
            Thread.sleep(POLL_MS);
        }
    }

    private static boolean isLive(JsonNode restream) {
        return restream.path("state").asText().equals("live");
    }

    private Usage measure(TouchlineServer server) throws IOException, InterruptedException {
        ProcessUsage before = ProcessUsage.of(server.process());
        long startNs = System.nanoTime();
        Thread.sleep(measured);
        ProcessUsage after = ProcessUsage.of(server.process());
        double seconds = (System.nanoTime() - startNs) / 1e9;
        return new Usage(
                (after.cpuSeconds() - before.cpuSeconds()) / seconds, after.residentBytes());
    }

    /**
     * @param usages with the targets, without them, and beside bad ones
     */
    private int table(List<Usage> usages, List<JsonNode> good, List<JsonNode> bad) {
        Report.Table cpu = report.table("cpu", "server | cores | RSS MiB");
        List<String> names = List.of("five targets", "none", "five targets, and three bad ones");
        for (int i = 0; i < names.size(); i++) {
            cpu.row(names.get(i), usages.get(i).cores(), usages.get(i).residentBytes() >> 20);
        }
        double each = (usages.get(0).cores() - usages.get(1).cores()) / TARGETS;
        report.table("target", "cores a target | limit").row(each, MAX_CORES);
        Report.Table states =
                report.table("states", "target | state | kbit/s | dropped frames | last error");
        good.forEach(state -> row(states, "good", state));
        bad.forEach(state -> row(states, "bad", state));
        boolean whole =
                good.stream()
                        .allMatch(
                                state ->
                                        isLive(state)
                                                && state.path("dropped_frames").asLong() == 0);
        return whole && each <= MAX_CORES ? 0 : 1;
    }

    private static void row(Report.Table table, String name, JsonNode state) {
        table.row(
                name,
                state.path("state").asText(),
                state.path("bitrate").asLong() / 1_000,
                state.path("dropped_frames").asLong(),
                state.path("last_error").asText("-"));
    }
}
