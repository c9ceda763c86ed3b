package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import touchline.benchmarks.cluster.Judge.Check;
import touchline.benchmarks.events.EventReceiver;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;

/**
 * Several nodes on one PostgreSQL, encoders and viewers at random ones. Nodes are killed, frozen,
 * stopped, drained, cut off from each other and from the database, and their clocks put forward;
 * database and S3 are taken away. Viewers measure, and a judge compares what all of them have
 * received.
 */
public final class ClusterLoad implements Benchmark {
    private static final Duration HEALTHY = Duration.ofMinutes(3);
    private static final Duration SETTLED = Duration.ofSeconds(8);
    private static final Duration NEWEST = Duration.ofSeconds(8);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int LONGEST_REST_MS = 6_000;

    /** Seconds of media: an encoder that never loses its connection sends it all. */
    private static final long LONGEST_RUN_S = 4_000;

    private static final String SETTINGS =
            "{\"record\":true,\"reconnect_window\":120,\"latency_mode\":\"%s\"}";

    /** A stream with its encoder and its viewers. */
    private record Match(
            LiveAddress stream, boolean low, ClusterEncoder encoder, List<ClusterViewer> viewers) {
        String kind() {
            return low ? "low" : "standard";
        }
    }

    private final int nodes;
    private final int streams;
    private final FaultPlan plan;
    private final String players;
    private final int low;
    private final int viewers;
    private final Duration pause;
    private final int changes;
    private final int disables;
    private final int clips;
    private final int seed;
    private final Random random;
    private final Report report;
    private final Judge judge = new Judge();
    private final Outcomes outcomes = new Outcomes();
    private final Takeovers takeovers;

    /**
     * Nodes and streams: 3 and 4 by default; faults and their options: {@link FaultPlan}. {@code
     * --players} of the first stream, such as hls,shaka; none by default. {@code --low} streams
     * with latency mode low, half of them by default; {@code --viewers} of each stream, 3; {@code
     * --pause-ms} of encoders after a loss, 1000; {@code --changes} a second by the API, 2; {@code
     * --disables}, 3; {@code --clips} across takeovers, 10, with S3; {@code --seed}.
     */
    public ClusterLoad(Arguments given, Report report) {
        nodes = given.number(0, 3);
        if (nodes < 2) {
            throw new IllegalArgumentException("nodes: " + nodes + " (expected: >= 2)");
        }
        streams = given.number(1, 4);
        plan = new FaultPlan(given);
        players = given.option("--players", "");
        low = given.option("--low", streams / 2);
        viewers = given.option("--viewers", 3);
        pause = Duration.ofMillis(given.option("--pause-ms", 1_000));
        changes = given.option("--changes", 2);
        disables = given.option("--disables", 3);
        clips = given.option("--clips", 10);
        seed = given.option("--seed", (int) (System.nanoTime() & 0xFFFF));
        random = new Random(seed);
        takeovers = new Takeovers(judge);
        this.report = report;
    }

    /** Returns 1 if the judge has found something. */
    @Override
    public int run() throws Exception {
        PushMedia media = CameraSource.SMALL.media(LONGEST_RUN_S);
        try (Cluster cluster = Cluster.start(nodes, plan.means());
                EventReceiver receiver = new EventReceiver(Duration.ZERO)) {
            report.note("%d nodes run (seed %d)", nodes, seed);
            String hook = "{\"url\":\"%s\",\"events\":[\"*\"]}".formatted(receiver.url());
            cluster.nodes().getFirst().server().post("/system/v1/webhooks", hook);
            List<Match> matches = new ArrayList<>();
            try {
                begin(cluster, media, matches);
                matches(cluster, media, matches, receiver);
            } finally {
                end(matches);
            }
            keepLogs(cluster);
        }
        outcomes.addTo(report);
        judge.addTo(report);
        return judge.findings() == 0 ? 0 : 1;
    }

    private void begin(Cluster cluster, PushMedia media, List<Match> matches)
            throws IOException, InterruptedException {
        List<ClusterNode> all = cluster.nodes();
        for (int i = 0; i < streams; i++) {
            boolean isLow = i < low;
            LiveAddress stream =
                    all.getFirst().server().stream(SETTINGS.formatted(isLow ? "low" : "standard"));
            List<ClusterViewer> crowd = new ArrayList<>();
            ClusterEncoder encoder = new ClusterEncoder(stream, all, media, pause, judge);
            matches.add(new Match(stream, isLow, encoder, crowd));
            for (int each = 0; each < viewers; each++) {
                crowd.add(new ClusterViewer(stream, isLow, all, judge));
            }
        }
    }

    private void matches(
            Cluster cluster, PushMedia media, List<Match> matches, EventReceiver receiver)
            throws Exception {
        List<LiveAddress> addresses = matches.stream().map(Match::stream).toList();
        FinalChecks checks = new FinalChecks(cluster, addresses, judge);
        RecordingChecks recordings = new RecordingChecks(cluster, addresses, judge);
        require(awaitHealthy(cluster, matches), "the streams do not start");
        checks.begin();
        try (ChangeLoad load = new ChangeLoad(cluster.nodes(), addresses, changes);
                Audience watching = Audience.open(players, cluster.nodes(), addresses, report)) {
            faults(cluster, matches, addresses, watching);
            watching.addTo(report);
            load.finish();
            checks.sessions();
            disable(cluster, media);
            checks.owners();
            if (cluster.s3().isPresent()) {
                recordings.dvr();
            }
            end(matches);
            List<JsonNode> ready = recordings.finish(checks.ignored());
            recordings.addTo(report);
            if (cluster.s3().isPresent()) {
                new StoredRecordings(cluster, cluster.s3().get(), takeovers, judge, report)
                        .check(addresses, ready, clips, random);
            }
            checks.events(receiver, load.confirmed());
            note(cluster, matches, receiver, load);
        }
    }

    /** One after the other, each when all streams are on air again. */
    private void faults(
            Cluster cluster, List<Match> matches, List<LiveAddress> addresses, Audience watching)
            throws Exception {
        LastingFaults lasting =
                new LastingFaults(cluster, addresses, () -> isOnAir(matches), judge, report);
        Optional<S3Stops> stops =
                cluster.s3()
                        .map(
                                s3 ->
                                        new S3Stops(
                                                cluster,
                                                s3,
                                                addresses,
                                                viewers(matches),
                                                judge,
                                                report));
        List<Fault> faults = plan(cluster);
        if (cluster.hasClocks()) {
            lasting.start();
        }
        for (int i = 0; i < faults.size(); i++) {
            Fault next = faults.get(i);
            Thread.sleep(random.nextInt(LONGEST_REST_MS));
            report.note("%d of %d, at %.1f s: %s", i + 1, faults.size(), judge.seconds(), next);
            watching.faultBegins();
            Cluster.Applied applied =
                    next.isOfS3()
                            ? stops.orElseThrow().run(next, plan.time(next), random)
                            : cluster.apply(next, plan.time(next), addresses, random, lasting);
            takeovers.add(applied);
            fault(cluster, applied, matches);
            watching.judge(judge);
        }
        stops.ifPresent(S3Stops::addTable);
    }

    private static void require(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise);
        }
    }

    private List<Fault> plan(Cluster cluster) {
        List<Fault> faults = plan.shuffled(random);
        if (faults.contains(Fault.CLOCK) && !cluster.hasClocks()) {
            report.note("left out, the package faketime is not installed: wrong clocks");
            faults.removeIf(Fault.CLOCK::equals);
        }
        return faults;
    }

    private void fault(Cluster cluster, Cluster.Applied applied, List<Match> matches)
            throws InterruptedException {
        long endNs = System.nanoTime();
        Thread.sleep(SETTLED);
        boolean healthy = awaitHealthy(cluster, matches);
        report.note(
                "  %s: %d streams hit, %s after %.1f s",
                applied.node(),
                applied.streams().size(),
                healthy ? "all on air" : "NOT on air",
                (System.nanoTime() - endNs) / 1e9);
        for (boolean isLow : new boolean[] {true, false}) {
            for (boolean hit : new boolean[] {true, false}) {
                account(applied, matches, isLow, hit);
            }
        }
    }

    /** Adds up what streams of one kind, which the fault has hit or not, have lost. */
    private void account(Cluster.Applied applied, List<Match> matches, boolean isLow, boolean hit) {
        List<Match> kind =
                matches.stream()
                        .filter(match -> match.low() == isLow)
                        .filter(match -> applied.streams().contains(match.stream().id()) == hit)
                        .toList();
        String name = (isLow ? "low" : "standard") + (hit ? "" : ", of other owners");
        if (!kind.isEmpty()) {
            outcomes.fault(applied.fault(), name);
        }
        for (Match match : kind) {
            boolean resumed = hasNewMedia(match);
            outcomes.stream(applied.fault(), name, resumed);
            judge.judge(
                    Check.RESUMED,
                    resumed
                            ? List.of()
                            : List.of(
                                    "%s (%s) after %s"
                                            .formatted(
                                                    match.stream().id(),
                                                    match.kind(),
                                                    applied.fault())));
            for (ClusterViewer viewer : match.viewers()) {
                var gap = viewer.arrivals().longestGap(applied.atNs());
                long untilNs = gap.map(Arrivals.Gap::endNs).orElse(applied.atNs());
                outcomes.viewer(
                        applied.fault(),
                        name,
                        gap,
                        match.encoder().pauseNs(applied.atNs(), untilNs));
            }
        }
    }

    private boolean awaitHealthy(Cluster cluster, List<Match> matches) throws InterruptedException {
        long endNs = System.nanoTime() + HEALTHY.toNanos();
        while (!cluster.isReady() || !isOnAir(matches)) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            Thread.sleep(POLL);
        }
        return true;
    }

    private static boolean isOnAir(List<Match> matches) {
        return matches.stream()
                .allMatch(match -> hasNewMedia(match) && match.encoder().isSending());
    }

    private static boolean hasNewMedia(Match match) {
        long sinceNs = System.nanoTime() - NEWEST.toNanos();
        return match.viewers().stream()
                .map(viewer -> viewer.arrivals().lastNs())
                .allMatch(last -> last.isPresent() && last.get() - sinceNs > 0);
    }

    /** With a stream of its own: its session ends. */
    private void disable(Cluster cluster, PushMedia media) throws Exception {
        if (disables == 0) {
            return;
        }
        LiveAddress stream =
                cluster.nodes().getFirst().server().stream(SETTINGS.formatted("standard"));
        DisableCheck check = new DisableCheck(cluster.nodes(), stream, random);
        try (ClusterEncoder _ =
                new ClusterEncoder(stream, cluster.nodes(), media, pause, new Judge())) {
            for (int i = 0; i < disables; i++) {
                judge.judge(Check.DISABLED, check.run());
            }
        }
    }

    private void note(
            Cluster cluster, List<Match> matches, EventReceiver receiver, ChangeLoad load) {
        EventReceiver.Account account = receiver.account();
        List<String> refused = judge.refused();
        report.table(
                        "run",
                        "nodes | streams | node ended by itself | encoder refused |"
                                + " older playlist at another node | media not loaded |"
                                + " changes | confirmed | events | repeated")
                .row(
                        nodes,
                        streams,
                        cluster.nodes().stream().mapToInt(ClusterNode::exits).sum(),
                        refused.size(),
                        viewers(matches).stream().mapToInt(ClusterViewer::staleReads).sum(),
                        viewers(matches).stream().mapToInt(ClusterViewer::lostMedia).sum(),
                        load.requested(),
                        load.confirmed().size(),
                        account.events(),
                        account.duplicates());
        refused.forEach(reason -> report.note("refused: %s", reason));
    }

    private static List<ClusterViewer> viewers(List<Match> matches) {
        return matches.stream().flatMap(match -> match.viewers().stream()).toList();
    }

    private static void end(List<Match> matches) {
        viewers(matches).forEach(ClusterViewer::close);
        matches.forEach(match -> match.encoder().close());
    }

    private void keepLogs(Cluster cluster) throws IOException {
        for (ClusterNode node : cluster.nodes()) {
            Files.copy(
                    node.server().log(),
                    report.folder().resolve("cluster-" + node.name() + ".log"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
