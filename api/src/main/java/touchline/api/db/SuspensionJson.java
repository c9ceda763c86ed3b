package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.AssetId;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SuspendedSession;
import touchline.media.hub.InterruptedSession;

/** A suspended session as JSON text of a column. Any thread. */
final class SuspensionJson {
    private static final Logger log = LoggerFactory.getLogger(SuspensionJson.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private SuspensionJson() {}

    static String write(SuspendedSession suspended) {
        InterruptedSession interruption = suspended.interruption();
        SuspendedSession.Settings settings = suspended.settings();
        ObjectNode json =
                JSON.createObjectNode()
                        .put("disconnected_at_ms", interruption.disconnectedAt().toEpochMilli())
                        .put("reconnect_window_ms", interruption.reconnectWindow().toMillis())
                        .put("media_end_us", interruption.mediaEndUs())
                        .put("timelines", interruption.timelines())
                        .put("latency_mode", settings.latencyMode().wireName())
                        .put("recorded", settings.recorded())
                        .put("composited", settings.composited())
                        .put("next_init", settings.nextInit())
                        .put("playlist_version", settings.playlistVersion());
        suspended.recording().ifPresent(asset -> json.put("asset_id", asset.value()));
        return json.toString();
    }

    /** Empty where it is damaged: the session then ends as after a crash. */
    static Optional<SuspendedSession> read(Session session, Instant until, String text) {
        try {
            return Optional.of(read(session, until, JSON.readTree(text)));
        } catch (JsonProcessingException | RuntimeException e) {
            log.warn("session={} cannot be continued: {}", session.id(), e.getMessage());
            return Optional.empty();
        }
    }

    private static SuspendedSession read(Session session, Instant until, JsonNode json) {
        Instant disconnectedAt = Instant.ofEpochMilli(json.path("disconnected_at_ms").asLong());
        return new SuspendedSession(
                session,
                new InterruptedSession(
                        session.stream(),
                        session.id(),
                        session.startedAt(),
                        disconnectedAt,
                        Duration.ofMillis(json.path("reconnect_window_ms").asLong()),
                        Duration.between(disconnectedAt, until),
                        json.path("media_end_us").asLong(),
                        json.path("timelines").asInt()),
                until,
                new SuspendedSession.Settings(
                        LatencyMode.of(json.path("latency_mode").asText())
                                .orElse(LatencyMode.STANDARD),
                        json.path("recorded").asBoolean(),
                        json.path("composited").asBoolean(),
                        json.path("next_init").asInt(),
                        json.path("playlist_version").asLong()),
                Optional.ofNullable(json.get("asset_id")).map(id -> new AssetId(id.asText())));
    }
}
