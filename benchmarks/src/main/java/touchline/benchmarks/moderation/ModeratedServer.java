package touchline.benchmarks.moderation;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.benchmarks.load.MeasuredServer.Stream;
import touchline.benchmarks.load.TouchlineServer;

/** This project's server with its demo models loaded. Owned by one thread. */
final class ModeratedServer implements AutoCloseable {
    private static final Duration LOADED = Duration.ofMinutes(2);
    private static final int PAGE = 100;

    private final TouchlineServer server;

    /** In the order of {@link #streams}. */
    private final List<String> ids = new ArrayList<>();

    private ModeratedServer(TouchlineServer server) {
        this.server = server;
    }

    /** Returns when the models are loaded; the caller closes it. */
    static ModeratedServer start(Path launcher, int streams, String latencyMode)
            throws IOException, InterruptedException {
        TouchlineServer server =
                TouchlineServer.start(
                        launcher,
                        Collections.nCopies(streams, latencyMode),
                        Map.of(
                                "TOUCHLINE_MODERATION_DEMO_MODELS", "true",
                                "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8"));
        ModeratedServer moderated = new ModeratedServer(server);
        try {
            moderated.awaitModels();
            moderated.each(
                    "/live/v1/live-streams?",
                    stream -> moderated.ids.addFirst(stream.path("id").asText()));
            return moderated;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void awaitModels() throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + LOADED.toNanos();
        while (!server.call("GET", "/observe/health/ready", "")
                .at("/data/parts/moderation")
                .asText()
                .equals("up")) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("the demo models are not loaded after " + LOADED);
            }
            Thread.sleep(Duration.ofMillis(200));
        }
    }

    List<Stream> streams() {
        return server.streams();
    }

    ProcessHandle process() {
        return server.process();
    }

    /**
     * @param more fields beside interval and models, such as {@code , "gate": true}
     */
    void moderate(int stream, int intervalSeconds, double threshold, String more)
            throws IOException, InterruptedException {
        server.call(
                "PUT",
                "/live/v1/live-streams/" + ids.get(stream) + "/audit-settings",
                "{\"frame_interval\": %d, \"models\": {\"nude\": %s, \"weapon\": %s}%s}"
                        .formatted(intervalSeconds, threshold, threshold, more));
    }

    void sendAlertsTo(String url) throws IOException, InterruptedException {
        server.call(
                "POST",
                "/system/v1/webhooks",
                "{\"url\": \"%s\", \"events\": [\"audit_check\"]}".formatted(url));
    }

    void eachRecord(Consumer<JsonNode> reader) throws IOException, InterruptedException {
        each("/audit/v1/records/moderation-records?", reader);
    }

    /** The frames of a stream's running session. */
    void eachFrame(int stream, Consumer<JsonNode> reader) throws IOException, InterruptedException {
        String session =
                server.call("GET", "/live/v1/live-streams/" + ids.get(stream), "")
                        .at("/data/active_session_id")
                        .asText();
        each("/audit/v1/records/sampled-frames?stream_session_id=" + session + "&", reader);
    }

    private void each(String path, Consumer<JsonNode> reader)
            throws IOException, InterruptedException {
        boolean more = true;
        for (int page = 1; more; page++) {
            JsonNode reply = server.call("GET", path + "limit=" + PAGE + "&page=" + page, "");
            reply.path("data").forEach(reader);
            more = reply.path("has_more").asBoolean();
        }
    }

    /**
     * @param name of a moderation counter, such as {@code dropped}
     */
    long counter(String name) throws IOException, InterruptedException {
        String metrics = server.metrics();
        Matcher line =
                Pattern.compile(
                                "^touchline_moderation_" + name + "(?:_total)?(?:\\{.*})? (\\S+)",
                                Pattern.MULTILINE)
                        .matcher(metrics);
        if (!line.find()) {
            throw new IOException("no counter " + name + " among the metrics");
        }
        return Math.round(Double.parseDouble(line.group(1)));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
