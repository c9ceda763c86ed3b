package touchline.benchmarks.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import touchline.benchmarks.load.LiveAddress;

/** Changes titles of streams at a steady rate, by the API of random nodes. */
final class ChangeLoad implements AutoCloseable {
    private final List<ClusterNode> nodes;
    private final List<LiveAddress> streams;
    private final Duration interval;
    private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
    private final AtomicLong requested = new AtomicLong();
    private final Thread thread;
    private volatile boolean stopped;

    /**
     * @param perSecond 0 for none
     */
    ChangeLoad(List<ClusterNode> nodes, List<LiveAddress> streams, int perSecond) {
        this.nodes = nodes;
        this.streams = streams;
        interval = Duration.ofNanos(1_000_000_000L / Math.max(1, perSecond));
        stopped = perSecond == 0;
        thread = Thread.ofVirtual().name("changes").start(this::run);
    }

    /** Titles whose change was answered with success. */
    Set<String> confirmed() {
        return Set.copyOf(confirmed);
    }

    long requested() {
        return requested.get();
    }

    private void run() {
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            while (!stopped) {
                long number = requested.incrementAndGet();
                var _ = requests.submit(() -> change("change " + number));
                Thread.sleep(interval);
            }
        } catch (InterruptedException _) {
            // Closed.
        }
    }

    private void change(String title) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        ClusterNode node = nodes.get(random.nextInt(nodes.size()));
        String stream = streams.get(random.nextInt(streams.size())).id();
        try {
            node.server()
                    .call(
                            "PATCH",
                            "/live/v1/live-streams/" + stream,
                            "{\"title\":\"" + title + "\"}");
            confirmed.add(title);
        } catch (IOException _) {
            // Without an answer it may or may not be done: it is not expected.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Changes nothing more, and waits for the answers that are due. */
    void finish() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        finish();
    }
}
