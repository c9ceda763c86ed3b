package touchline.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import touchline.api.domain.ClockDifference;
import touchline.api.domain.NodeMeasurements;

/**
 * What a node answers when another one asks for its state. Immutable.
 *
 * @param node its id
 * @param incarnation its start
 * @param hasDatabase whether its newest heartbeat went through
 * @param databaseMs newest time of the database in any answer that it has had, Unix milliseconds
 * @param measured with its newest heartbeat, to the millisecond
 */
public record NodeReport(
        String node,
        long incarnation,
        boolean hasDatabase,
        long databaseMs,
        NodeMeasurements measured) {

    static NodeReport of(JsonNode json) {
        return new NodeReport(
                json.path("node").asText(),
                json.path("incarnation").asLong(),
                json.path("has_database").asBoolean(),
                json.path("database_ms").asLong(),
                new NodeMeasurements(
                        Duration.ofMillis(json.path("late_ms").asLong()), clock(json)));
    }

    /** Empty of a node of an earlier version, too. */
    private static Optional<ClockDifference> clock(JsonNode json) {
        return json.path("clock_ahead_ms").isIntegralNumber()
                ? Optional.of(
                        new ClockDifference(
                                Duration.ofMillis(json.path("clock_ahead_ms").asLong()),
                                Duration.ofMillis(json.path("clock_error_ms").asLong())))
                : Optional.empty();
    }

    /** The same as an object. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("node", node);
        json.put("incarnation", incarnation);
        json.put("has_database", hasDatabase);
        json.put("database_ms", databaseMs);
        json.put("late_ms", measured.late().toMillis());
        measured.clock()
                .ifPresent(
                        clock -> {
                            json.put("clock_ahead_ms", clock.ahead().toMillis());
                            json.put("clock_error_ms", clock.error().toMillis());
                        });
        return json;
    }
}
