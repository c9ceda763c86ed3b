package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import touchline.benchmarks.cluster.Judge.Check;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.Report;

/** What must hold while a fault lasts: partitions, and a wrong clock. One thread. */
final class LastingFaults implements Cluster.Meanwhile {
    /** For the leases, the end of the node, and the way of encoders and viewers to another one. */
    private static final Duration TAKEN_OVER = Duration.ofSeconds(20);

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration REPLY = Duration.ofSeconds(5);
    private static final int OK = 200;

    /** Of the clock in question, for the milliseconds of a heartbeat. */
    private static final long SHOWN_MS = 2_000;

    private final Cluster cluster;
    private final List<LiveAddress> streams;
    private final BooleanSupplier onAir;
    private final Judge judge;
    private final Report report;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(REPLY).build();

    /**
     * @param onAir whether all encoders send, and all viewers get new media
     */
    LastingFaults(
            Cluster cluster,
            List<LiveAddress> streams,
            BooleanSupplier onAir,
            Judge judge,
            Report report) {
        this.cluster = cluster;
        this.streams = streams;
        this.onAir = onAir;
        this.judge = judge;
        this.report = report;
    }

    @Override
    public void look(Cluster.Applied applied, ClusterNode victim, long endNs) throws Exception {
        if (applied.fault().isPartition()) {
            partition(applied, victim, endNs);
        } else {
            wrongClock(applied, victim, endNs);
        }
    }

    private void partition(Cluster.Applied applied, ClusterNode victim, long endNs)
            throws Exception {
        String name = "%s, %s".formatted(applied.fault(), victim.name());
        int ended = victim.exits();
        int othersEnded = ended() - ended;
        sleepUntil(Math.min(endNs, applied.atNs() + TAKEN_OVER.toNanos()));
        while (!onAir.getAsBoolean() && System.nanoTime() - endNs < 0) {
            Thread.sleep(POLL);
        }
        double seconds = (System.nanoTime() - applied.atNs()) / 1e9;
        judge.judge(
                Check.PARTITION,
                onAir.getAsBoolean()
                        ? List.of()
                        : List.of("%s: not on air after %.1f s".formatted(name, seconds)));
        report.note("  %s: looked at after %.1f s", name, seconds);
        if (applied.fault().isolates()) {
            judge.judge(Check.ISOLATED, shown(applied, victim));
        }
        sleepUntil(endNs);
        List<String> faults = new ArrayList<>();
        boolean hasEnded = victim.exits() > ended;
        if (hasEnded != applied.fault().isolates()) {
            faults.add(name + (hasEnded ? ": it has ended" : ": it has not ended"));
        }
        if (ended() - victim.exits() > othersEnded) {
            faults.add(name + ": another node has ended");
        }
        judge.judge(Check.PARTITION, faults);
    }

    private int ended() {
        return cluster.nodes().stream().mapToInt(ClusterNode::exits).sum();
    }

    /** What a node still shows of its former streams. */
    private List<String> shown(Cluster.Applied applied, ClusterNode victim)
            throws InterruptedException {
        List<String> faults = new ArrayList<>();
        for (LiveAddress stream : streams) {
            if (applied.streams().contains(stream.id())) {
                URI address = victim.playback(stream.watch().getPath().substring(1));
                if (status(address) == OK) {
                    faults.add("%s shows %s".formatted(victim.name(), stream.id()));
                }
            }
        }
        return faults;
    }

    private int status(URI address) throws InterruptedException {
        try {
            return client.send(
                            HttpRequest.newBuilder(address).timeout(REPLY).build(),
                            BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException _) {
            return 0;
        }
    }

    private void wrongClock(Cluster.Applied applied, ClusterNode victim, long endNs)
            throws Exception {
        Map<String, String> before = owners();
        int ended = ended();
        sleepUntil(endNs);
        List<String> faults = new ArrayList<>();
        if (!owners().equals(before)) {
            faults.add("owners %s (expected: %s)".formatted(owners(), before));
        }
        if (ended() != ended) {
            faults.add("a node has ended");
        }
        if (!onAir.getAsBoolean()) {
            faults.add("not on air, with the clock of " + victim.name() + " ahead");
        }
        long shownMs = clockAheadMs(victim);
        if (Math.abs(shownMs - Cluster.AHEAD.toMillis()) > SHOWN_MS) {
            faults.add(
                    "the clock of %s is shown to be %d ms ahead (expected: %d)"
                            .formatted(victim.name(), shownMs, Cluster.AHEAD.toMillis()));
        }
        judge.judge(Check.CLOCK, faults);
        report.note(
                "  %s has owned %d streams, its clock is shown to be %d ms ahead",
                victim.name(), applied.streams().size(), shownMs);
    }

    /** As another node shows it. */
    private long clockAheadMs(ClusterNode victim) throws IOException, InterruptedException {
        for (ClusterNode asked : cluster.nodes()) {
            if (asked != victim && asked.isReady()) {
                for (JsonNode node : asked.get("/system/v1/nodes")) {
                    if (node.path("id").asText().equals(victim.name())) {
                        return node.path("clock_ahead_ms").asLong();
                    }
                }
            }
        }
        return 0;
    }

    /** Of a node that starts with such a clock. */
    void start() throws IOException, InterruptedException {
        Optional<String> said = cluster.refusalOfAWrongClock();
        boolean isRefused = said.filter(text -> text.contains("clock")).isPresent();
        judge.judge(
                Check.CLOCK,
                isRefused
                        ? List.of()
                        : List.of("a node with a wrong clock starts: " + said.orElse("it serves")));
    }

    private Map<String, String> owners() throws IOException {
        Map<String, String> owners = new TreeMap<>();
        for (LiveAddress stream : streams) {
            owners.put(
                    stream.id(),
                    cluster.owner(stream).map(ClusterNode::name).orElse("none of the nodes"));
        }
        return owners;
    }

    private static void sleepUntil(long atNs) throws InterruptedException {
        Thread.sleep(Duration.ofNanos(Math.max(0, atNs - System.nanoTime())));
    }
}
