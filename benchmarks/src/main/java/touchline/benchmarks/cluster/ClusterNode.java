package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.benchmarks.load.TouchlineServer;

/**
 * A node, which is started again two seconds after it has ended, however it ends, as a service
 * manager does. Any thread may call it.
 */
final class ClusterNode implements AutoCloseable {
    private static final Duration RESTART_PAUSE = Duration.ofSeconds(2);
    private static final int KILLED = 128 + 9;

    private final String name;
    private final TouchlineServer server;
    private final AtomicInteger exits = new AtomicInteger();
    private final Thread manager;

    private volatile boolean ready = true;
    private volatile boolean frozen;
    private volatile boolean closed;

    private ClusterNode(String name, TouchlineServer server) {
        this.name = name;
        this.server = server;
        this.manager = Thread.ofVirtual().name(name).start(this::manage);
    }

    /**
     * Starts it, and returns when it serves.
     *
     * @param database variables of the database
     */
    static ClusterNode start(String name, Map<String, String> database)
            throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(database);
        environment.put("TOUCHLINE_CLUSTER_ENABLED", "true");
        environment.put("TOUCHLINE_CLUSTER_NODE", name);
        environment.put("TOUCHLINE_CLUSTER_HOST", "127.0.0.1");
        environment.put("TOUCHLINE_CLUSTER_PORT", String.valueOf(TouchlineServer.freePort()));
        environment.put("TOUCHLINE_MASTER_KEY", "A".repeat(43) + "=");
        environment.put("TOUCHLINE_PUBLIC_API_URL", "http://api.test");
        environment.put("TOUCHLINE_PUBLIC_PLAYBACK_URL", "http://play.test");
        environment.put("TOUCHLINE_PUBLIC_RTMP_URL", "rtmp://push.test");
        environment.put("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
        // A start costs a third of the time of the optimizing compiler, and there are many.
        environment.put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m");
        return new ClusterNode(name, TouchlineServer.startFromClassPath(environment));
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
                boolean expected = !ready || code == KILLED;
                ready = false;
                if (!closed) {
                    exits.addAndGet(expected ? 0 : 1);
                    Thread.sleep(RESTART_PAUSE);
                    ready = isStarted();
                }
            }
        } catch (InterruptedException _) {
            // Closed.
        }
    }

    private boolean isStarted() throws InterruptedException {
        try {
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
