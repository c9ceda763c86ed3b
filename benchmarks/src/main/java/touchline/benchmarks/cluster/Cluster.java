package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.load.LiveAddress;

/** The nodes and their database, and the faults that happen to them. One thread. */
final class Cluster implements AutoCloseable {
    private static final Duration DRAINED = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    /** More than the 30 s that a start permits. */
    static final Duration AHEAD = Duration.ofSeconds(90);

    private final ClusterDatabase database;
    private final List<ClusterNode> nodes = new CopyOnWriteArrayList<>();
    private final Map<String, Clock> clocks = new ConcurrentHashMap<>();
    private final @Nullable Network network;
    private final @Nullable SharedS3 s3;
    private final Path folder = Files.createTempDirectory("touchline-bench-cluster");

    /**
     * What a run needs beside nodes.
     *
     * @param links proxies that can be cut
     * @param clocks that can be put forward
     * @param s3 for recordings
     */
    record Means(boolean links, boolean clocks, boolean s3) {}

    /** Looks at a fault while it lasts. */
    interface Meanwhile {
        /**
         * @param victim the node
         * @param endNs {@link System#nanoTime} when it is over
         */
        void look(Applied applied, ClusterNode victim, long endNs) throws Exception;
    }

    /**
     * @param streams that were on air at the owner; all of them if the fault is the database's
     * @param atNs {@link System#nanoTime} when it began
     * @param node where it happened
     */
    record Applied(Fault fault, Set<String> streams, long atNs, String node) {}

    private Cluster(ClusterDatabase database, Means means)
            throws IOException, InterruptedException {
        this.database = database;
        this.network = means.links() ? new Network(database.port()) : null;
        this.s3 = means.s3() ? SharedS3.start() : null;
    }

    /** Starts so many nodes on an empty database; the caller closes it. */
    static Cluster start(int count, Means means) throws Exception {
        Cluster cluster = new Cluster(ClusterDatabase.start(), means);
        try {
            for (int i = 1; means.clocks() && i <= count; i++) {
                String name = "node-" + i;
                Clock.create(cluster.folder, name)
                        .ifPresent(clock -> cluster.clocks.put(name, clock));
            }
            // The first one makes the tables.
            cluster.nodes.add(cluster.node(1));
            cluster.database.logOwners();
            cluster.join(count - 1);
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    private void join(int more) throws Exception {
        List<Callable<Boolean>> starts = new ArrayList<>();
        for (int i = 0; i < more; i++) {
            int number = i + 2;
            starts.add(() -> nodes.add(node(number)));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> start : threads.invokeAll(starts)) {
                start.get();
            }
        }
    }

    private ClusterNode node(int number) throws IOException, InterruptedException {
        String name = "node-" + number;
        Map<String, String> environment = new HashMap<>(database.environment());
        if (network != null) {
            environment = network.environment(name, number, environment);
        }
        if (s3 != null) {
            environment.putAll(s3.environment());
        }
        Clock clock = clocks.get(name);
        if (clock != null) {
            environment.putAll(clock.environment());
        }
        ClusterNode node = ClusterNode.start(name, environment);
        if (network != null) {
            network.join(node, number);
        }
        return node;
    }

    /** Whether clocks can be put forward. */
    boolean hasClocks() {
        return !clocks.isEmpty();
    }

    /**
     * What a further node says that starts with a clock which is ahead.
     *
     * @return empty if it starts
     */
    Optional<String> refusalOfAWrongClock() throws IOException, InterruptedException {
        Clock clock = Clock.create(folder, "wrong").orElseThrow();
        clock.putForward(AHEAD);
        Map<String, String> environment = new HashMap<>(database.environment());
        environment.putAll(clock.environment());
        try (ClusterNode _ = ClusterNode.start("node-wrong", environment)) {
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    List<ClusterNode> nodes() {
        return List.copyOf(nodes);
    }

    ClusterDatabase database() {
        return database;
    }

    /** Where recordings are; empty if they are on the disks of the nodes. */
    Optional<SharedS3> s3() {
        return Optional.ofNullable(s3);
    }

    /** Whether all nodes serve. */
    boolean isReady() {
        return nodes.stream().allMatch(node -> node.isReady() && !node.isFrozen());
    }

    /** The owner of a stream. */
    Optional<ClusterNode> owner(LiveAddress stream) throws IOException {
        Optional<String> name = database.owner(stream.id());
        return nodes.stream().filter(node -> name.equals(Optional.of(node.name()))).findFirst();
    }

    /** Lets a fault happen, and returns when it is over. */
    Applied apply(
            Fault fault,
            Duration time,
            List<LiveAddress> streams,
            Random random,
            Meanwhile meanwhile)
            throws Exception {
        if (fault.isOfDatabase()) {
            Set<String> all = new HashSet<>();
            streams.forEach(stream -> all.add(stream.id()));
            Applied applied = new Applied(fault, all, System.nanoTime(), "the database");
            interruptDatabase(fault, time);
            return applied;
        }
        ClusterNode victim = owner(streams.get(random.nextInt(streams.size()))).orElseThrow();
        Applied applied =
                new Applied(fault, owned(victim, streams), System.nanoTime(), victim.name());
        switch (fault) {
            case KILL -> victim.kill();
            case DISK_LOSS -> victim.killAndLoseDisk();
            case STOP -> victim.stop();
            case DRAIN -> drain(victim, random);
            case PEER_CUT, DATABASE_CUT, FULL_CUT ->
                    last(applied, time, victim, meanwhile, cut(fault, victim, random));
            case CLOCK -> last(applied, time, victim, meanwhile, putForward(victim));
            default -> {
                victim.freeze();
                Thread.sleep(time);
                victim.thaw();
            }
        }
        return applied;
    }

    /** The streams of a node. */
    Set<String> owned(ClusterNode node, List<LiveAddress> streams) throws IOException {
        Set<String> owned = new HashSet<>();
        for (LiveAddress stream : streams) {
            if (owner(stream).equals(Optional.of(node))) {
                owned.add(stream.id());
            }
        }
        return owned;
    }

    /** The end of a fault. */
    private interface End {
        void happen() throws IOException;
    }

    private static void last(
            Applied applied, Duration time, ClusterNode victim, Meanwhile meanwhile, End end)
            throws Exception {
        long endNs = applied.atNs() + time.toNanos();
        try {
            meanwhile.look(applied, victim, endNs);
            Thread.sleep(Duration.ofNanos(Math.max(0, endNs - System.nanoTime())));
        } finally {
            end.happen();
        }
    }

    private End cut(Fault fault, ClusterNode victim, Random random) {
        Network links = Objects.requireNonNull(network, "no links (expected: Means.links)");
        List<String> others = new ArrayList<>();
        if (fault != Fault.DATABASE_CUT) {
            nodes.stream()
                    .map(ClusterNode::name)
                    .filter(name -> !name.equals(victim.name()))
                    .forEach(others::add);
        }
        if (fault == Fault.PEER_CUT) {
            others.retainAll(List.of(others.get(random.nextInt(others.size()))));
        } else {
            others.add(Network.DATABASE);
        }
        links.partition().cut(victim.name(), others);
        return links.partition()::heal;
    }

    private End putForward(ClusterNode victim) throws IOException {
        Clock clock =
                Objects.requireNonNull(clocks.get(victim.name()), "no clock of " + victim.name());
        clock.putForward(AHEAD);
        return () -> clock.putForward(Duration.ZERO);
    }

    private void interruptDatabase(Fault fault, Duration time)
            throws IOException, InterruptedException {
        if (fault == Fault.DATABASE_FREEZE) {
            database.freeze();
            Thread.sleep(time);
            database.thaw();
            return;
        }
        if (fault == Fault.DATABASE_KILL) {
            database.kill();
        } else {
            database.stop();
        }
        Thread.sleep(time);
        database.restart();
    }

    /** By another node; the next start of the drained one ends the state. */
    private void drain(ClusterNode victim, Random random) throws IOException, InterruptedException {
        List<ClusterNode> others = new ArrayList<>(nodes);
        others.remove(victim);
        ClusterNode asked = others.get(random.nextInt(others.size()));
        asked.server().call("PUT", "/system/v1/nodes/" + victim.name() + "/drain", "");
        long endNs = System.nanoTime() + DRAINED.toNanos();
        while (streams(asked, victim) > 0 && System.nanoTime() - endNs < 0) {
            Thread.sleep(POLL);
        }
        victim.stop();
    }

    private static int streams(ClusterNode asked, ClusterNode node)
            throws IOException, InterruptedException {
        for (JsonNode each : asked.get("/system/v1/nodes")) {
            if (each.path("id").asText().equals(node.name())) {
                return each.path("streams").asInt();
            }
        }
        return 0;
    }

    @Override
    public void close() throws IOException {
        IOException failed = new IOException("not all of the cluster was removed");
        List<AutoCloseable> all = new ArrayList<>();
        if (network != null) {
            all.add(network);
        }
        all.addAll(nodes);
        all.add(database);
        if (s3 != null) {
            all.add(s3);
        }
        all.add(this::removeFolder);
        for (AutoCloseable each : all) {
            try {
                each.close();
            } catch (Exception e) {
                failed.addSuppressed(e);
            }
        }
        if (failed.getSuppressed().length > 0) {
            throw failed;
        }
    }

    private void removeFolder() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
