package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Mp4Support;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.media.hub.StandbySettings;
import touchline.media.rendition.RenditionSettings;

/** Reads the plain fields of a live stream from bodies of POST and PATCH. */
final class StreamFields {
    private static final int MAX_METADATA_BYTES = 4_096;
    private static final int MAX_TITLE_BYTES = 1_024;

    private static final String PLAYBACK_IDS =
            "POST %1$s/playback-ids, DELETE %1$s/playback-ids/{playback_id}"
                    .formatted(LiveStreamRoutes.STREAM);

    /** The calls that change what PATCH does not. */
    private static final Map<String, String> CHANGED_BY =
            Map.of(
                    "policy",
                    PLAYBACK_IDS,
                    "playback_ids",
                    PLAYBACK_IDS,
                    "status",
                    put("disable") + ", " + put("enable") + ", " + put("complete"),
                    "stream_key",
                    "POST " + LiveStreamRoutes.STREAM + "/reset-stream-key",
                    BackupFields.KEY,
                    "POST " + LiveStreamRoutes.STREAM + "/reset-stream-key",
                    "audit_settings",
                    put("audit-settings"),
                    "generate_watermark",
                    put("generated-watermark"));

    private StreamFields() {}

    private static String put(String action) {
        return "PUT " + LiveStreamRoutes.STREAM + "/" + action;
    }

    /**
     * The requested change; absent fields change nothing. Apply it only if no problem was reported.
     */
    static UnaryOperator<StreamSettings> change(JsonFields body) {
        StreamSettings defaults = StreamSettings.DEFAULTS;
        Optional<String> title =
                body.orDefault("title", defaults.title(), it -> body.text(it, MAX_TITLE_BYTES));
        Optional<String> metadata =
                body.orDefault(
                        "user_metadata",
                        defaults.userMetadata(),
                        it -> body.text(it, MAX_METADATA_BYTES));
        Optional<LatencyMode> latency =
                body.orDefault(
                        "latency_mode",
                        defaults.latencyMode(),
                        it ->
                                body.constant(
                                        it,
                                        LatencyMode::of,
                                        LatencyMode.values(),
                                        LatencyMode::wireName));
        Optional<Boolean> record = body.orDefault("record", defaults.record(), body::flag);
        Optional<Integer> window =
                body.orDefault(
                        "reconnect_window",
                        defaults.reconnectWindowSeconds(),
                        it -> reconnectWindow(body, it));
        Optional<Mp4Support> mp4 =
                body.orDefault(
                        "mp4_support",
                        defaults.mp4Support(),
                        it ->
                                body.constant(
                                        it,
                                        Mp4Support::of,
                                        Mp4Support.values(),
                                        Mp4Support::wireName));
        Optional<RenditionSettings> renditions =
                body.orDefault(
                        RenditionFields.NAME,
                        defaults.renditions(),
                        _ -> RenditionFields.read(body));
        Optional<Boolean> signalWatch =
                body.orDefault("signal_watch", defaults.signalWatch(), body::flag);
        UnaryOperator<StandbySettings> standby = StandbyFields.change(body);
        return before ->
                new StreamSettings(
                        title.orElse(before.title()),
                        metadata.orElse(before.userMetadata()),
                        latency.orElse(before.latencyMode()),
                        record.orElse(before.record()),
                        window.orElse(before.reconnectWindowSeconds()),
                        mp4.orElse(before.mp4Support()),
                        renditions.orElse(before.renditions()),
                        signalWatch.orElse(before.signalWatch()),
                        standby.apply(before.standby()));
    }

    private static Optional<Integer> reconnectWindow(JsonFields body, String name) {
        return body.whole(name, 0, StreamSettings.MAX_RECONNECT_WINDOW_SECONDS);
    }

    /**
     * Reports fields of a live stream that PATCH cannot change and that have another value. Call it
     * after {@link #change}.
     *
     * @param shown the live stream as the API shows it; this adds its policies
     */
    static void refuseChanges(JsonFields body, StreamDefinition stream, ObjectNode shown) {
        List<String> policies =
                stream.playbackIds().stream().map(id -> id.policy().wireName()).toList();
        if (policies.size() == 1 && body.isText("policy")) {
            shown.put("policy", policies.getFirst());
        } else {
            policies.forEach(shown.putArray("policy")::add);
        }
        body.refuseChanges(shown, CHANGED_BY);
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
