package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import touchline.benchmarks.load.LiveAddress;

/** The nodes and their database, and the faults that happen to them. One thread. */
final class Cluster implements AutoCloseable {
    private static final Duration DRAINED = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    private final ClusterDatabase database;
    private final List<ClusterNode> nodes = new CopyOnWriteArrayList<>();

    /**
     * @param streams that were on air at the owner; all of them if the fault is the database's
     * @param atNs {@link System#nanoTime} when it began
     * @param node where it happened
     */
    record Applied(Fault fault, Set<String> streams, long atNs, String node) {}

    private Cluster(ClusterDatabase database) {
        this.database = database;
    }

    /** Starts so many nodes on an empty database; the caller closes it. */
    static Cluster start(int count) throws Exception {
        Cluster cluster = new Cluster(ClusterDatabase.start());
        try {
            // The first one makes the tables.
            cluster.nodes.add(ClusterNode.start("node-1", cluster.database.environment()));
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
            String name = "node-" + (i + 2);
            starts.add(() -> nodes.add(ClusterNode.start(name, database.environment())));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> start : threads.invokeAll(starts)) {
                start.get();
            }
        }
    }

    List<ClusterNode> nodes() {
        return List.copyOf(nodes);
    }

    ClusterDatabase database() {
        return database;
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
    Applied apply(Fault fault, Duration time, List<LiveAddress> streams, Random random)
            throws IOException, InterruptedException {
        if (fault.isOfDatabase()) {
            Set<String> all = new HashSet<>();
            streams.forEach(stream -> all.add(stream.id()));
            Applied applied = new Applied(fault, all, System.nanoTime(), "the database");
            interruptDatabase(fault, time);
            return applied;
        }
        ClusterNode victim = owner(streams.get(random.nextInt(streams.size()))).orElseThrow();
        Set<String> owned = new HashSet<>();
        for (LiveAddress stream : streams) {
            if (owner(stream).equals(Optional.of(victim))) {
                owned.add(stream.id());
            }
        }
        Applied applied = new Applied(fault, owned, System.nanoTime(), victim.name());
        switch (fault) {
            case KILL -> victim.kill();
            case STOP -> victim.stop();
            case DRAIN -> drain(victim, random);
            default -> {
                victim.freeze();
                Thread.sleep(time);
                victim.thaw();
            }
        }
        return applied;
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
        List<AutoCloseable> all = new ArrayList<>(nodes);
        all.add(database);
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
}
