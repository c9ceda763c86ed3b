package touchline.api.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.AssetId;
import touchline.api.domain.AudioMixSettings;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.OverlaySettings;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.StreamStatus;
import touchline.api.domain.WatermarkSettings;

/** Live streams as the API and their events show them. Immutable; any thread. */
public final class LiveStreamView {
    /** Maximum recordings in a stream's list. */
    public static final int RECENT_ASSETS = 10;

    private static final String AUDIT = "audit_settings";
    private static final String WATERMARK = "generate_watermark";
    private static final String OVERLAY = "overlay_settings";

    private final String streamUrl;

    /**
     * @param rtmpUrl push address for encoders, with the application's name
     */
    public LiveStreamView(URI rtmpUrl) {
        this.streamUrl = rtmpUrl.toString();
    }

    /**
     * @param active the running session
     * @param recent the newest recordings
     * @param withKeys whether push keys are shown: for scope live:write only, never in an event
     */
    public ObjectNode of(
            StreamDefinition stream,
            Optional<ActiveSession> active,
            List<AssetId> recent,
            boolean withKeys) {
        StreamSettings settings = stream.settings();
        ObjectNode json = object();
        json.put("id", stream.id().value());
        if (withKeys) {
            json.put("stream_key", stream.streamKey());
            stream.backup().streamKey().ifPresent(key -> json.put("backup_stream_key", key));
        }
        json.put("stream_url", streamUrl);
        json.put("status", status(stream, active.isPresent()));
        json.put("title", settings.title());
        json.put("user_metadata", settings.userMetadata());
        json.put("latency_mode", settings.latencyMode().wireName());
        json.put("record", settings.record());
        json.put("reconnect_window", settings.reconnectWindowSeconds());
        json.put("mp4_support", settings.mp4Support().wireName());
        json.set("renditions", RenditionsView.of(settings.renditions()));
        json.put("signal_watch", settings.signalWatch());
        json.put("backup", stream.backup().isOn());
        seconds(json, "failover_after", stream.backup().failover().failoverAfter());
        seconds(json, "failback_after", stream.backup().failover().failbackAfter());
        json.set("standby", StandbyView.of(settings.standby()));
        ArrayNode playbackIds = json.putArray("playback_ids");
        stream.playbackIds().forEach(id -> playbackIds.add(PlaybackIdView.of(id)));
        stream.audit().ifPresent(audit -> json.set(AUDIT, of(audit)));
        stream.watermark().ifPresent(mark -> json.set(WATERMARK, of(mark, withKeys)));
        json.put("created_at", stream.createdAt().getEpochSecond());
        Optional<ActiveSession> shown = stream.disabled() ? Optional.empty() : active;
        json.put("active_session_id", shown.map(session -> session.id().value()).orElse(null));
        shown.ifPresent(session -> connection(json, session));
        ArrayNode recentIds = json.putArray("recent_asset_ids");
        recent.forEach(id -> recentIds.add(id.value()));
        return json;
    }

    /** Whole where they are whole. */
    private static void seconds(ObjectNode json, String name, Duration time) {
        if (time.toMillisPart() == 0) {
            json.put(name, time.toSeconds());
        } else {
            json.put(name, time.toMillis() / 1e3);
        }
    }

    private static void connection(ObjectNode json, ActiveSession session) {
        json.put("connected", session.disconnectedAt().isEmpty());
        session.disconnectedAt().ifPresent(at -> json.put("disconnected_at", at.getEpochSecond()));
        session.standby().ifPresent(status -> json.set("active_standby", StandbyView.of(status)));
    }

    private static String status(StreamDefinition stream, boolean active) {
        if (stream.disabled()) {
            return StreamStatus.DISABLE.wireName();
        }
        return (active ? StreamStatus.ACTIVE : StreamStatus.IDLE).wireName();
    }

    /** The requested settings; those with defaults only where they differ. */
    public static ObjectNode of(AuditSettings audit) {
        ObjectNode json = object();
        json.put("frame_interval", audit.frameIntervalSeconds());
        if (audit.samples() != 1) {
            json.put("samples", audit.samples());
        }
        ObjectNode models = json.putObject("models");
        audit.models().forEach((model, threshold) -> models.put(model, threshold));
        if (audit.onReject() != AuditSettings.OnReject.NONE) {
            json.put("on_reject", audit.onReject().wireName());
        }
        if (audit.gate()) {
            json.put("gate", true);
        }
        return json;
    }

    /**
     * @param withKeys whether the push key is shown
     */
    public ObjectNode of(WatermarkSettings watermark, boolean withKeys) {
        ObjectNode json = object().put("type", watermark.type());
        switch (watermark) {
            case WatermarkSettings.Html html ->
                    json.put("url", html.url())
                            .put("page_load_timeout", html.pageLoadTimeoutSeconds());
            case WatermarkSettings.Stream stream -> {
                if (withKeys) {
                    json.put("stream_key", stream.streamKey());
                }
                AudioMixSettings mix = stream.audioMix();
                json.put("stream_url", streamUrl);
                json.putObject("audio_mix_settings")
                        .put("mode", mix.mode().wireName())
                        .put("volume_main", mix.volumeMain())
                        .put("volume_secondary", mix.volumeSecondary());
            }
        }
        watermark.overlay().ifPresent(o -> json.set(OVERLAY, of(o)));
        return json;
    }

    private static ObjectNode of(OverlaySettings overlay) {
        ObjectNode json = object();
        overlay.width().ifPresent(v -> json.put("width", v));
        overlay.height().ifPresent(v -> json.put("height", v));
        overlay.verticalAlign().ifPresent(v -> json.put("vertical_align", v));
        overlay.horizontalAlign().ifPresent(v -> json.put("horizontal_align", v));
        overlay.opacity().ifPresent(v -> json.put("opacity", v));
        overlay.verticalMargin().ifPresent(v -> json.put("vertical_margin", v));
        overlay.horizontalMargin().ifPresent(v -> json.put("horizontal_margin", v));
        return json;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
