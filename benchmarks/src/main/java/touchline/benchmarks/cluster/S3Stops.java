package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import touchline.benchmarks.cluster.Judge.Check;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.recordings.Span;

/** Takes S3 away, and looks at what nodes and viewers make of it. One thread. */
final class S3Stops {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration CAUGHT_UP = Duration.ofMinutes(4);
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** Nodes report a backlog that is older than five minutes; they look at it every minute. */
    private static final Duration REPORTED = Duration.ofMinutes(7);

    /** Time between two segments that is no hole: dates have milliseconds. */
    private static final long ROUNDING_US = 50_000;

    private static final double MOST_GROWTH = 0.05;

    /** Heaps grow for minutes after a start: growth within a warm-up round that counts as none. */
    private static final double WARM = 0.01;

    private static final Duration WARM_UP_ROUND = Duration.ofMinutes(1);
    private static final int MOST_WARM_UP_ROUNDS = 10;
    private static final double MB = 1e6;

    private final Cluster cluster;
    private final SharedS3 s3;
    private final List<LiveAddress> streams;
    private final List<ClusterViewer> viewers;
    private final Judge judge;
    private final Report report;
    private final List<Object[]> rows = new ArrayList<>();

    S3Stops(
            Cluster cluster,
            SharedS3 s3,
            List<LiveAddress> streams,
            List<ClusterViewer> viewers,
            Judge judge,
            Report report) {
        this.cluster = cluster;
        this.s3 = s3;
        this.streams = streams;
        this.viewers = viewers;
        this.judge = judge;
        this.report = report;
    }

    /** Returns when S3 is back, and the nodes have caught up. */
    Cluster.Applied run(Fault fault, Duration time, Random random) throws Exception {
        Map<Long, Long> before =
                fault == Fault.S3_STOP_KILL ? residentBytes() : awaitSteadyMemory();
        long beganNs = System.nanoTime();
        long beganUs = Span.us(Instant.now());
        int reported = backlogEvents();
        s3.stop();
        Cluster.Applied applied;
        long most = 0;
        try {
            if (fault == Fault.S3_STOP_KILL) {
                most = watch(beganNs + time.toNanos() / 2);
                applied = kill(random);
            } else {
                Set<String> all = new HashSet<>();
                streams.forEach(stream -> all.add(stream.id()));
                applied = new Cluster.Applied(fault, all, beganNs, "S3");
            }
            most = Math.max(most, watch(beganNs + time.toNanos()));
        } finally {
            s3.restart();
        }
        // Nodes that take the streams of another one have more memory for that reason alone.
        double growth = fault == Fault.S3_STOP_KILL ? 0 : growth(before, residentBytes());
        boolean isReported = backlogEvents() > reported;
        String name = "%s for %d s".formatted(fault, time.toSeconds());
        double stood = judgeViewers(applied, name, new Span(beganUs, Span.us(Instant.now())));
        judgeNodes(name, time, growth, most, isReported);
        OptionalDouble caughtUp = awaitCaughtUp();
        boolean inTime =
                caughtUp.isPresent() && caughtUp.getAsDouble() <= CAUGHT_UP.toMillis() / 1e3;
        judge.judge(
                Check.S3_AWAY,
                inTime ? List.of() : List.of(name + ": caught up after " + seconds(caughtUp)));
        rows.add(
                new Object[] {
                    fault.toString(),
                    time.toSeconds(),
                    megabytes(before),
                    growth * 100,
                    most / MB,
                    isReported ? "yes" : "no",
                    stood,
                    seconds(caughtUp)
                });
        return applied;
    }

    private static String seconds(OptionalDouble caughtUp) {
        return caughtUp.isPresent()
                ? "%.1f s".formatted(caughtUp.getAsDouble())
                : "more than %d s".formatted(LIMIT.toSeconds());
    }

    private Cluster.Applied kill(Random random) throws IOException {
        ClusterNode victim =
                cluster.owner(streams.get(random.nextInt(streams.size()))).orElseThrow();
        Cluster.Applied applied =
                new Cluster.Applied(
                        Fault.S3_STOP_KILL,
                        cluster.owned(victim, streams),
                        System.nanoTime(),
                        victim.name());
        victim.kill();
        return applied;
    }

    /** Returns the largest backlog of all nodes together, in bytes. */
    private long watch(long untilNs) throws InterruptedException {
        long most = 0;
        while (System.nanoTime() - untilNs < 0) {
            Thread.sleep(POLL);
            most = Math.max(most, backlogBytes().orElse(0L));
        }
        return most;
    }

    /** Empty if a node does not answer. */
    private Optional<Long> backlogBytes() throws InterruptedException {
        long sum = 0;
        for (ClusterNode node : cluster.nodes()) {
            try {
                sum += Math.round(node.server().metric("touchline_s3_backlog_bytes"));
            } catch (IOException _) {
                return Optional.empty();
            }
        }
        return Optional.of(sum);
    }

    private int backlogEvents() throws IOException, InterruptedException {
        List<JsonNode> events = new ArrayList<>();
        for (ClusterNode node : cluster.nodes()) {
            if (node.isReady()) {
                node.server().each("/system/v1/events?type=storage.backlog", events::add);
                break;
            }
        }
        return events.size();
    }

    /** Returns the memory of the nodes when it has stopped growing, or after ten minutes. */
    private Map<Long, Long> awaitSteadyMemory() throws IOException, InterruptedException {
        Map<Long, Long> last = residentBytes();
        for (int round = 0; round < MOST_WARM_UP_ROUNDS; round++) {
            Thread.sleep(WARM_UP_ROUND);
            Map<Long, Long> now = residentBytes();
            double growth = growth(last, now);
            report.note(
                    "  warm-up: %.0f MB, %+.1f %% in %d s",
                    megabytes(now), growth * 100, WARM_UP_ROUND.toSeconds());
            if (growth < WARM) {
                return now;
            }
            last = now;
        }
        return last;
    }

    private static double megabytes(Map<Long, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum() / MB;
    }

    /** By process, after a collection of garbage: what the heap has left free says nothing. */
    private Map<Long, Long> residentBytes() throws IOException, InterruptedException {
        Map<Long, Long> bytes = new HashMap<>();
        for (ClusterNode node : cluster.nodes()) {
            ProcessHandle process = node.server().process();
            if (process.isAlive()) {
                Command.run(
                        Command.words(
                                "%s/bin/jcmd %d GC.run",
                                System.getProperty("java.home"), process.pid()));
                bytes.put(process.pid(), ProcessUsage.of(process).residentBytes());
            }
        }
        return bytes;
    }

    /** Of the processes that have run all the time, together. */
    private static double growth(Map<Long, Long> before, Map<Long, Long> after) {
        before.keySet().retainAll(after.keySet());
        long was = before.values().stream().mapToLong(Long::longValue).sum();
        long is = before.keySet().stream().mapToLong(after::get).sum();
        return was == 0 ? 0 : (double) (is - was) / was;
    }

    /** Returns the longest time that a viewer stood, of streams that no other fault has hit. */
    private double judgeViewers(Cluster.Applied applied, String name, Span time) {
        double longest = 0;
        for (LiveAddress stream : streams) {
            if (applied.fault() == Fault.S3_STOP_KILL && applied.streams().contains(stream.id())) {
                continue;
            }
            List<String> faults =
                    new ArrayList<>(judge.listed().holes(stream.id(), time, ROUNDING_US));
            double target = judge.listed().targetDurationS(stream.id());
            for (ClusterViewer viewer : viewers) {
                if (viewer.streamId().equals(stream.id())) {
                    double gap =
                            viewer.arrivals()
                                    .longestGap(applied.atNs())
                                    .map(each -> each.lengthNs() / 1e9)
                                    .orElse(time.lengthUs() / 1e6);
                    longest = Math.max(longest, gap);
                    if (gap > target) {
                        faults.add("a viewer has stood for %.1f s".formatted(gap));
                    }
                }
            }
            judge.judge(
                    Check.S3_AWAY,
                    faults.stream()
                            .map(fault -> "%s: %s: %s".formatted(name, stream.id(), fault))
                            .toList());
        }
        return longest;
    }

    private void judgeNodes(
            String name, Duration time, double growth, long backlogBytes, boolean isReported) {
        List<String> faults = new ArrayList<>();
        if (growth > MOST_GROWTH) {
            faults.add("%s: memory has grown by %.1f %%".formatted(name, growth * 100));
        }
        if (backlogBytes == 0) {
            faults.add(name + ": no node shows a backlog");
        }
        if (time.compareTo(REPORTED) > 0 && !isReported) {
            faults.add(name + ": no storage.backlog");
        }
        judge.judge(Check.S3_AWAY, faults);
    }

    /** Until no node shows a backlog, and S3 has what had been listed when it came back. */
    private OptionalDouble awaitCaughtUp() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        Map<String, Long> wanted = new HashMap<>();
        while (System.nanoTime() - startNs < LIMIT.toNanos()) {
            if (wanted.isEmpty()) {
                wanted.putAll(running());
            }
            if (!wanted.isEmpty() && backlogBytes().equals(Optional.of(0L)) && hasAll(wanted)) {
                return OptionalDouble.of((System.nanoTime() - startNs) / 1e9);
            }
            Thread.sleep(POLL);
        }
        return OptionalDouble.empty();
    }

    /** The newest complete segment of each stream, by the asset that is recorded. */
    private Map<String, Long> running() throws IOException, InterruptedException {
        Map<String, JsonNode> newest = new HashMap<>();
        for (ClusterNode node : cluster.nodes()) {
            if (node.isReady()) {
                node.server()
                        .each(
                                "/video-streams/v1/assets",
                                asset -> {
                                    if (asset.path("is_live").asBoolean()) {
                                        newest.merge(
                                                asset.path("live_stream_id").asText(),
                                                asset,
                                                S3Stops::later);
                                    }
                                });
                break;
            }
        }
        Map<String, Long> numbers = new HashMap<>();
        newest.forEach(
                (stream, asset) ->
                        numbers.put(
                                asset.path("asset_id").asText(),
                                judge.listed().newestNumber(stream) - 1));
        return numbers;
    }

    private static JsonNode later(JsonNode one, JsonNode other) {
        return one.path("created_at").asLong() >= other.path("created_at").asLong() ? one : other;
    }

    private boolean hasAll(Map<String, Long> wanted) throws IOException {
        Map<String, Long> there = s3.newestNumbers();
        return wanted.entrySet().stream()
                .allMatch(each -> there.getOrDefault(each.getKey(), -1L) >= each.getValue());
    }

    void addTable() {
        if (rows.isEmpty()) {
            return;
        }
        Report.Table table =
                report.table(
                        "S3 stops",
                        "fault | s | memory of all nodes before MB | grown by % | most backlog MB |"
                                + " storage.backlog | a viewer stood s, longest | caught up after");
        rows.forEach(table::row);
    }
}
