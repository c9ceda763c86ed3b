package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import touchline.benchmarks.load.TouchlineServer;

/**
 * A node, which is started again two seconds after it has ended, however it ends, as a service
 * manager does. Any thread may call it.
 */
public final class ClusterNode implements AutoCloseable {
    private static final Duration RESTART_PAUSE = Duration.ofSeconds(2);
    private static final int KILLED = 128 + 9;

    private final String name;
    private final TouchlineServer server;
    private final List<Integer> ports;
    private final AtomicInteger exits = new AtomicInteger();
    private final Thread manager;

    /** Receives whether the process runs. */
    private volatile Consumer<Boolean> whenRunning = _ -> {};

    private volatile boolean ready = true;
    private volatile boolean frozen;
    private volatile boolean losesDisk;
    private volatile boolean closed;

    private ClusterNode(String name, TouchlineServer server, int clusterPort) {
        this.name = name;
        this.server = server;
        this.ports = List.of(clusterPort, server.playback("").getPort(), server.push("").getPort());
        this.manager = Thread.ofVirtual().name(name).start(this::manage);
    }

    /**
     * Starts it, and returns when it serves.
     *
     * @param more variables, with those of the database
     */
    static ClusterNode start(String name, Map<String, String> more)
            throws IOException, InterruptedException {
        int clusterPort = TouchlineServer.freePort();
        return new ClusterNode(
                name,
                TouchlineServer.startFromClassPath(environment(name, clusterPort, more)),
                clusterPort);
    }

    private static Map<String, String> environment(
            String name, int clusterPort, Map<String, String> more) {
        Map<String, String> environment = settings(name, clusterPort, more);
        // A start costs a third of the time of the optimizing compiler, and there are many.
        environment.put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m");
        return environment;
    }

    /**
     * The variables of a node.
     *
     * @param clusterPort a free one
     * @param more with those of the database
     */
    public static Map<String, String> settings(
            String name, int clusterPort, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("TOUCHLINE_CLUSTER_ENABLED", "true");
        environment.put("TOUCHLINE_CLUSTER_NODE", name);
        environment.put("TOUCHLINE_CLUSTER_HOST", "127.0.0.1");
        environment.put("TOUCHLINE_CLUSTER_PORT", String.valueOf(clusterPort));
        environment.put("TOUCHLINE_MASTER_KEY", "A".repeat(43) + "=");
        environment.put("TOUCHLINE_PUBLIC_API_URL", "http://api.test");
        environment.put("TOUCHLINE_PUBLIC_PLAYBACK_URL", "http://play.test");
        environment.put("TOUCHLINE_PUBLIC_RTMP_URL", "rtmp://push.test");
        environment.put("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
        return environment;
    }

    /** Of what other nodes use: calls, media and relays. */
    List<Integer> ports() {
        return ports;
    }

    /**
     * @param listener receives false when the process has ended, and true before it is started
     *     again
     */
    void whenRunning(Consumer<Boolean> listener) {
        whenRunning = listener;
    }

    String name() {
        return name;
    }

    /** Whether it serves, as far as its last start goes. */
    boolean isReady() {
        return ready;
    }

    boolean isFrozen() {
        return frozen;
    }

    /** How often it has ended by itself. */
    int exits() {
        return exits.get();
    }

    TouchlineServer server() {
        return server;
    }

    URI push(String streamKey) {
        return server.push(streamKey);
    }

    URI playback(String path) {
        return server.playback(path);
    }

    /** The {@code data} of a reply to GET. */
    JsonNode get(String path) throws IOException, InterruptedException {
        return server.get(path);
    }

    /** Ends it at once. */
    void kill() {
        ready = false;
        server.process().destroyForcibly();
    }

    /** Ends it at once, and removes its data folder before it is started again. */
    void killAndLoseDisk() {
        losesDisk = true;
        kill();
    }

    /** Ends it as a service manager does. */
    void stop() {
        ready = false;
        server.process().destroy();
    }

    void freeze() throws IOException, InterruptedException {
        frozen = true;
        Signals.stop(server.process());
    }

    void thaw() throws IOException, InterruptedException {
        Signals.resume(server.process());
        frozen = false;
    }

    private void manage() {
        try {
            while (!closed) {
                int code = server.awaitExit();
                whenRunning.accept(false);
                boolean expected = !ready || code == KILLED;
                ready = false;
                if (!closed) {
                    exits.addAndGet(expected ? 0 : 1);
                    if (losesDisk) {
                        server.removeData();
                        losesDisk = false;
                    }
                    Thread.sleep(RESTART_PAUSE);
                    ready = isStarted();
                }
            }
        } catch (InterruptedException _) {
            // Closed.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isStarted() throws InterruptedException {
        try {
            whenRunning.accept(true);
            server.restart();
            return true;
        } catch (IOException _) {
            // It has ended again, as without a database, or hangs: another try.
            server.kill();
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        manager.interrupt();
        try {
            thaw();
            manager.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }
}
