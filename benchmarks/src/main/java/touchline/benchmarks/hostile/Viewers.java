package touchline.benchmarks.hostile;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;

/**
 * Two viewers of each stream. Those of mode low wait for each part and load it, and each segment
 * too, as a late viewer does. Those of mode standard load the playlist each second, and each new
 * segment. The wait for a part does not count.
 */
final class Viewers implements AutoCloseable {
    private static final int EACH = 2;
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final long PLAYLIST_PAUSE_MS = 1_000;
    private static final long RETRY_PAUSE_MS = 500;

    private final PhaseTimes times = new PhaseTimes();
    private final List<Thread> threads = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> reasons = new TreeSet<>();
    private volatile boolean stopped;

    private Viewers() {}

    static Viewers start(List<LiveAddress> streams, int low) {
        Viewers all = new Viewers();
        for (int i = 0; i < EACH * streams.size(); i++) {
            int stream = i / EACH;
            URI watch = streams.get(stream).watch();
            boolean waits = stream < low;
            all.threads.add(
                    Thread.ofPlatform()
                            .name("bench-viewer-" + i)
                            .daemon()
                            .start(() -> all.run(watch, waits)));
        }
        return all;
    }

    private void run(URI watch, boolean waits) {
        while (!stopped) {
            Phase began = times.phase();
            try (LiveEdge edge = LiveEdge.open(watch, START_LIMIT)) {
                if (waits) {
                    waitForParts(edge);
                } else {
                    pollSegments(edge);
                }
            } catch (IOException e) {
                if (!stopped) {
                    times.failed(began);
                    note(e);
                    pause();
                }
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void note(IOException e) {
        lock.lock();
        try {
            reasons.add(String.valueOf(e.getMessage()).replaceAll("https?://\\S+", "address"));
        } finally {
            lock.unlock();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_PAUSE_MS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void waitForParts(LiveEdge edge) throws IOException {
        long newest = edge.playlist().segments().getLast().mediaSequence();
        while (!stopped) {
            for (LowLatencyPlaylist.Item part : edge.reload()) {
                fetch(edge, part);
            }
            newest = newSegments(edge, newest);
        }
    }

    private void pollSegments(LiveEdge edge) throws IOException, InterruptedException {
        long newest = edge.playlist().segments().getLast().mediaSequence();
        while (!stopped) {
            Phase began = times.phase();
            long startNs = System.nanoTime();
            edge.load();
            times.add(began, (System.nanoTime() - startNs) / 1e6);
            newest = newSegments(edge, newest);
            TimeUnit.MILLISECONDS.sleep(PLAYLIST_PAUSE_MS);
        }
    }

    private long newSegments(LiveEdge edge, long newest) throws IOException {
        LowLatencyPlaylist.Item last = edge.playlist().segments().getLast();
        if (last.mediaSequence() > newest) {
            fetch(edge, last);
        }
        return last.mediaSequence();
    }

    private void fetch(LiveEdge edge, LowLatencyPlaylist.Item item) throws IOException {
        Phase began = times.phase();
        long startNs = System.nanoTime();
        edge.connection().body(item.address());
        times.add(began, (System.nanoTime() - startNs) / 1e6);
    }

    PhaseTimes times() {
        return times;
    }

    /** Why requests failed. Call it after {@link #stop}. */
    Set<String> reasons() {
        return reasons;
    }

    /** Ends the requests; idempotent. */
    void stop() {
        stopped = true;
        try {
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(10));
                thread.interrupt();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
