package touchline.benchmarks.moderation;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.TouchlineServer;

/**
 * A server with the demo models.
 *
 * @param streams in the order of their creation
 */
record ModeratedServer(TouchlineServer server, List<LiveAddress> streams) implements AutoCloseable {
    private static final Duration LOAD_LIMIT = Duration.ofMinutes(2);
    private static final long POLL_MS = 200;
    private static final Map<String, String> ENVIRONMENT =
            Map.of(
                    "TOUCHLINE_MODERATION_DEMO_MODELS", "true",
                    "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");

    /** Returns when the models are loaded; the caller closes it. */
    static ModeratedServer start(int streams, String latencyMode)
            throws IOException, InterruptedException {
        return loaded(TouchlineServer.start(ENVIRONMENT), streams, latencyMode);
    }

    /**
     * The same from the class path of this JVM.
     *
     * @param isolation {@code media.isolated-decoding}
     */
    static ModeratedServer startWith(String isolation, int streams, String latencyMode)
            throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(ENVIRONMENT);
        environment.put("TOUCHLINE_MEDIA_ISOLATED_DECODING", isolation);
        return loaded(TouchlineServer.startFromClassPath(environment), streams, latencyMode);
    }

    private static ModeratedServer loaded(TouchlineServer server, int streams, String latencyMode)
            throws IOException, InterruptedException {
        try {
            long deadlineNs = System.nanoTime() + LOAD_LIMIT.toNanos();
            JsonNode ready = server.get("/observe/health/ready");
            while (!ready.at("/parts/moderation").asText().equals("up")) {
                if (System.nanoTime() > deadlineNs) {
                    throw new IOException("the demo models are not loaded after " + LOAD_LIMIT);
                }
                Thread.sleep(POLL_MS);
                ready = server.get("/observe/health/ready");
            }
            return new ModeratedServer(server, server.streams(streams, latencyMode));
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /**
     * @param more fields beside interval and models, such as {@code , "gate": true}
     */
    void moderate(LiveAddress stream, int intervalSeconds, double threshold, String more)
            throws IOException, InterruptedException {
        server.call(
                "PUT",
                "/live/v1/live-streams/" + stream.id() + "/audit-settings",
                "{\"frame_interval\": %d, \"models\": {\"nude\": %s, \"weapon\": %s}%s}"
                        .formatted(intervalSeconds, threshold, threshold, more));
    }

    /** Reads the sampled frames of a stream's running session. */
    void eachFrame(LiveAddress stream, Consumer<JsonNode> reader)
            throws IOException, InterruptedException {
        String path = "/live/v1/live-streams/" + stream.id();
        String session = server.get(path).path("active_session_id").asText();
        server.each("/audit/v1/records/sampled-frames?stream_session_id=" + session, reader);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
