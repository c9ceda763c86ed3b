package touchline.benchmarks.players;

import java.io.IOException;
import java.time.Duration;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.HttpConnection.Answer;
import touchline.benchmarks.load.LiveAddress;

/** The renditions of a live stream, by its multivariant playlist. Stateless. */
final class RunningRenditions {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(200);

    private RunningRenditions() {}

    /** Waits until so many are listed beside the source. */
    static void await(LiveAddress address, int count) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        try (HttpConnection connection = HttpConnection.open(address.watch())) {
            while (listed(connection.get(address.watch())) < count + 1) {
                if (System.nanoTime() > deadlineNs) {
                    throw new IOException("no " + count + " renditions within " + LIMIT);
                }
                Thread.sleep(POLL);
            }
        }
    }

    private static long listed(Answer answer) {
        return answer.status() == 200
                ? answer.text().lines().filter(line -> line.startsWith("#EXT-X-STREAM-INF")).count()
                : 0;
    }
}
