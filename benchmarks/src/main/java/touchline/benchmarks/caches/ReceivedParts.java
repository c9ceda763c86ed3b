package touchline.benchmarks.caches;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.LongPredicate;
import touchline.benchmarks.load.Samples;

/**
 * When the players of one kind received each part. One thread at a time: that of their loop, and
 * after it has ended, the one that evaluates.
 */
final class ReceivedParts {
    private static final class Part {
        private final long bytes;
        private long[] doneNs = new long[4];
        private int count;
        private boolean differs;

        private Part(long bytes) {
            this.bytes = bytes;
        }

        private void add(long ns, long size) {
            if (count == doneNs.length) {
                doneNs = Arrays.copyOf(doneNs, 2 * count);
            }
            doneNs[count++] = ns;
            differs |= size != bytes;
        }
    }

    /**
     * What a measurement found.
     *
     * @param parts that the player at the server received in that time
     * @param missing parts that a player did not receive, over all players
     * @param repeated parts that a player received more than once, over all players
     * @param differing parts whose size differs from the server's
     * @param delayMs time from the receipt at the server to that of each player
     */
    record Comparison(int parts, long missing, long repeated, long differing, Samples delayMs) {}

    private final SequencedMap<String, Part> parts = new LinkedHashMap<>();

    /**
     * @param path of the part, the same at the cache and at the server
     */
    void add(String path, long doneNs, long bytes) {
        parts.computeIfAbsent(path, _ -> new Part(bytes)).add(doneNs, bytes);
    }

    /**
     * The part that was received last for the first time.
     *
     * @throws java.util.NoSuchElementException none was received
     */
    String newest() {
        return parts.sequencedKeySet().getLast();
    }

    /** How often a part was received. */
    int receivers(String path) {
        Part part = parts.get(path);
        return part == null ? 0 : part.count;
    }

    /**
     * Compares with a single player at the server.
     *
     * @param players that should have received every part
     * @param time accepts the times of {@link System#nanoTime} at which the player at the server
     *     received the parts that count
     */
    Comparison against(ReceivedParts server, int players, LongPredicate time) {
        Samples delayMs = new Samples();
        int count = 0;
        long missing = 0;
        long repeated = 0;
        long differing = 0;
        for (Map.Entry<String, Part> entry : server.parts.entrySet()) {
            Part original = entry.getValue();
            if (!time.test(original.doneNs[0])) {
                continue;
            }
            count++;
            Part received = parts.get(entry.getKey());
            if (received == null) {
                missing += players;
                continue;
            }
            missing += Math.max(0, players - received.count);
            repeated += Math.max(0, received.count - players);
            differing += received.differs || received.bytes != original.bytes ? 1 : 0;
            for (int i = 0; i < received.count; i++) {
                delayMs.add((received.doneNs[i] - original.doneNs[0]) / 1e6);
            }
        }
        return new Comparison(count, missing, repeated, differing, delayMs);
    }
}
