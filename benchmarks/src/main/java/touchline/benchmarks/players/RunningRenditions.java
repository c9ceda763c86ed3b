package touchline.benchmarks.players;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.TouchlineServer;

/** The renditions of a live stream's session, by the API. Stateless. */
final class RunningRenditions {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(200);

    private RunningRenditions() {}

    /** Waits until so many run. */
    static void await(TouchlineServer server, LiveAddress address, int count)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        while (count(server, address) < count) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("no " + count + " renditions within " + LIMIT);
            }
            Thread.sleep(POLL);
        }
    }

    static int count(TouchlineServer server, LiveAddress address)
            throws IOException, InterruptedException {
        int running = 0;
        for (JsonNode each :
                server.get("/live/v1/live-streams/" + address.id() + "/sessions")
                        .path(0)
                        .path("renditions")) {
            running += each.path("state").asText().equals("running") ? 1 : 0;
        }
        return running;
    }
}
