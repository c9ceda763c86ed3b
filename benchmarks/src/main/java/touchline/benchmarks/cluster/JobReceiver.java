package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import touchline.benchmarks.load.LocalSite;

/**
 * Receives events of assets, and notifications of transcoding tasks. A repeated delivery is the
 * same one. Any thread.
 */
final class JobReceiver implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LocalSite site;

    /** Ids of the events that say that an asset is complete, by asset. */
    private final Map<String, Set<String>> ready = new HashMap<>();

    /** Announced results, by task. */
    private final Map<String, Set<JsonNode>> results = new HashMap<>();

    JobReceiver() throws IOException {
        site =
                new LocalSite()
                        .receive("/events", "", this::event)
                        .receive("/tasks", "{\"ack\": true}", this::notification);
    }

    /** Where webhooks go. */
    String events() {
        return site.address("/events");
    }

    /** Where notifications of tasks go. */
    String tasks() {
        return site.address("/tasks");
    }

    private synchronized void event(byte[] body) throws IOException {
        JsonNode event = JSON.readTree(body);
        JsonNode asset = event.at("/data/asset");
        if (event.path("type").asText().equals("asset.ready")
                && !asset.path("is_live").asBoolean()) {
            ready.computeIfAbsent(asset.path("asset_id").asText(), _ -> new HashSet<>())
                    .add(event.path("id").asText());
        }
    }

    private synchronized void notification(byte[] body) throws IOException {
        for (JsonNode result : JSON.readTree(body).path("data")) {
            results.computeIfAbsent(result.path("task_id").asText(), _ -> new HashSet<>())
                    .add(result);
        }
    }

    /** How often an asset was said to be complete. */
    synchronized int readyEvents(String asset) {
        return ready.getOrDefault(asset, Set.of()).size();
    }

    /** The different results that were announced for a task. */
    synchronized Set<JsonNode> results(String task) {
        return Set.copyOf(results.getOrDefault(task, Set.of()));
    }

    @Override
    public void close() {
        site.close();
    }
}
