package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.Samples;

/**
 * Viewers that behave as players: each waits for the next part, loads it, and loads each whole
 * segment too, as a late viewer does. The time of each load counts, the wait does not.
 */
final class GoodPlayers {
    private GoodPlayers() {}

    /** Milliseconds from the request of a part or segment to its last byte. */
    static Samples watch(URI multivariant, int players, Duration time) throws Exception {
        long endNs = System.nanoTime() + time.toNanos();
        List<FutureTask<Samples>> watching = new ArrayList<>();
        for (int i = 0; i < players; i++) {
            Callable<Samples> player = () -> watch(multivariant, endNs);
            FutureTask<Samples> task = new FutureTask<>(player);
            Thread.ofPlatform().name("bench-player-" + i).start(task);
            watching.add(task);
        }
        Samples all = new Samples();
        for (FutureTask<Samples> each : watching) {
            all.addAll(each.get());
        }
        return all;
    }

    private static Samples watch(URI multivariant, long endNs)
            throws IOException, InterruptedException {
        Samples latencyMs = new Samples();
        try (LiveEdge edge = LiveEdge.open(multivariant, Throughput.START_LIMIT)) {
            long newest = edge.playlist().segments().getLast().mediaSequence();
            while (System.nanoTime() < endNs) {
                for (LowLatencyPlaylist.Item part : edge.reload()) {
                    latencyMs.add(fetchMs(edge, part));
                }
                LowLatencyPlaylist.Item segment = edge.playlist().segments().getLast();
                if (segment.mediaSequence() > newest) {
                    newest = segment.mediaSequence();
                    latencyMs.add(fetchMs(edge, segment));
                }
            }
        }
        return latencyMs;
    }

    private static double fetchMs(LiveEdge edge, LowLatencyPlaylist.Item item) throws IOException {
        long startNs = System.nanoTime();
        edge.connection().body(item.address());
        return (System.nanoTime() - startNs) / 1e6;
    }
}
