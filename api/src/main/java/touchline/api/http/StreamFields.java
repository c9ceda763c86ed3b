package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Mp4Support;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;

/** Reads the plain fields of a live stream from bodies of POST and PATCH. */
final class StreamFields {
    private static final int MAX_METADATA_BYTES = 4_096;
    private static final int MAX_TITLE_BYTES = 1_024;

    private StreamFields() {}

    /**
     * The requested change; absent fields change nothing. Apply it only if no problem was reported.
     */
    static UnaryOperator<StreamSettings> change(JsonFields body) {
        Optional<String> title = body.text("title", MAX_TITLE_BYTES);
        Optional<String> metadata = body.text("user_metadata", MAX_METADATA_BYTES);
        Optional<LatencyMode> latency =
                body.constant(
                        "latency_mode",
                        LatencyMode::of,
                        LatencyMode.values(),
                        LatencyMode::wireName);
        Optional<Boolean> record = body.flag("record");
        Optional<Integer> window =
                body
                        .integer("reconnect_window", 0, StreamSettings.MAX_RECONNECT_WINDOW_SECONDS)
                        .stream()
                        .boxed()
                        .findFirst();
        Optional<Mp4Support> mp4 =
                body.constant(
                        "mp4_support", Mp4Support::of, Mp4Support.values(), Mp4Support::wireName);
        return before ->
                new StreamSettings(
                        title.orElse(before.title()),
                        metadata.orElse(before.userMetadata()),
                        latency.orElse(before.latencyMode()),
                        record.orElse(before.record()),
                        window.orElse(before.reconnectWindowSeconds()),
                        mp4.orElse(before.mp4Support()));
    }

    /** {@code policy}: one or a list, with duplicates, in order; the default is public. */
    static List<PlaybackPolicy> policies(JsonFields body) {
        Optional<JsonNode> policy = body.any("policy");
        if (policy.isEmpty()) {
            return List.of(PlaybackPolicy.PUBLIC);
        }
        if (!(policy.get() instanceof ArrayNode list)) {
            return policy(body, body.pathOf("policy"), policy.get()).stream().toList();
        }
        if (list.isEmpty() || list.size() > StreamDefinition.MAX_PLAYBACK_IDS) {
            body.problems()
                    .invalid(body.pathOf("policy"), list.size() + " policies (expected: 1 to 20)");
            return List.of();
        }
        List<PlaybackPolicy> policies = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            policy(body, body.pathOf("policy") + "[" + i + "]", list.get(i))
                    .ifPresent(policies::add);
        }
        return policies;
    }

    private static Optional<PlaybackPolicy> policy(JsonFields body, String field, JsonNode node) {
        if (!node.isTextual()) {
            body.problems()
                    .invalid(
                            field,
                            JsonFields.described(node)
                                    + " (expected: public or signed, or a list of them)");
            return Optional.empty();
        }
        Optional<PlaybackPolicy> policy = PlaybackPolicy.of(node.textValue());
        if (policy.isEmpty()) {
            body.unknown(field, PlaybackPolicy.values(), PlaybackPolicy::wireName);
        }
        return policy;
    }
}
