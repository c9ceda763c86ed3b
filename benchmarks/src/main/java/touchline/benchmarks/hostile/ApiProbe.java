package touchline.benchmarks.hostile;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.TouchlineServer;

/**
 * An operator's calls, four a second: health on a new connection, a list, a change of a stream. A
 * failed call counts as long as its limit.
 */
final class ApiProbe implements AutoCloseable {
    private static final long PAUSE_MS = 250;
    private static final double FAILED_MS = 20_000;

    private final TouchlineServer server;
    private final String streamId;
    private final PhaseTimes times = new PhaseTimes();
    private final Set<String> reasons = new TreeSet<>();
    private final Thread thread;
    private volatile boolean stopped;

    private ApiProbe(TouchlineServer server, String streamId) {
        this.server = server;
        this.streamId = streamId;
        this.thread = Thread.ofPlatform().name("bench-api-probe").unstarted(this::run);
    }

    /**
     * @param streamId whose title is changed
     */
    static ApiProbe start(TouchlineServer server, String streamId) {
        ApiProbe probe = new ApiProbe(server, streamId);
        probe.thread.start();
        return probe;
    }

    private void run() {
        for (int i = 0; !stopped; i++) {
            Phase began = times.phase();
            long startNs = System.nanoTime();
            try {
                call(i);
                times.add(began, (System.nanoTime() - startNs) / 1e6);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            } catch (IOException e) {
                times.add(began, FAILED_MS);
                times.failed(began);
                reasons.add(e.getClass().getSimpleName() + " " + e.getMessage());
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void call(int index) throws IOException, InterruptedException {
        switch (index % 3) {
            case 0 -> {
                URI health = server.api().resolve("/observe/health/live");
                try (HttpConnection connection = HttpConnection.open(health)) {
                    connection.body(health);
                }
            }
            case 1 -> server.get("/live/v1/live-streams?limit=20");
            default ->
                    server.call(
                            "PATCH",
                            "/live/v1/live-streams/" + streamId,
                            "{\"title\": \"probe %d\"}".formatted(index));
        }
    }

    PhaseTimes times() {
        return times;
    }

    /** Why calls failed. Call it after {@link #stop}. */
    Set<String> reasons() {
        return reasons;
    }

    /** Ends the calls; idempotent. */
    void stop() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
