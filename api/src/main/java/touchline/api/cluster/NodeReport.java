package touchline.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/**
 * What a node answers when another one asks for its state. Immutable.
 *
 * @param node its id
 * @param incarnation its start
 * @param hasDatabase whether its newest heartbeat went through
 * @param databaseMs newest time of the database in any answer that it has had, Unix milliseconds
 * @param late how late its newest heartbeat began, to the millisecond
 */
public record NodeReport(
        String node, long incarnation, boolean hasDatabase, long databaseMs, Duration late) {

    static NodeReport of(JsonNode json) {
        return new NodeReport(
                json.path("node").asText(),
                json.path("incarnation").asLong(),
                json.path("has_database").asBoolean(),
                json.path("database_ms").asLong(),
                Duration.ofMillis(json.path("late_ms").asLong()));
    }

    /** The same as an object. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("node", node);
        json.put("incarnation", incarnation);
        json.put("has_database", hasDatabase);
        json.put("database_ms", databaseMs);
        json.put("late_ms", late.toMillis());
        return json;
    }
}
