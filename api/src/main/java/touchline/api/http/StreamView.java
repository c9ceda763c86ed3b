package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.db.AssetRepository;
import touchline.api.domain.AssetId;
import touchline.api.domain.AudioMixSettings;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.OverlaySettings;
import touchline.api.domain.Page;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.WatermarkSettings;
import touchline.api.session.LiveControl;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;

/** Live streams as the API shows them. Any thread. */
final class StreamView {
    private static final int RECENT_ASSETS = 10;

    private final LiveControl live;
    private final AssetRepository assets;
    private final String streamUrl;

    /**
     * @param assets asked for the newest recordings of what is shown
     * @param rtmpUrl where encoders push, with the application's name
     */
    StreamView(LiveControl live, AssetRepository assets, URI rtmpUrl) {
        this.live = live;
        this.assets = assets;
        this.streamUrl = rtmpUrl.toString();
    }

    /**
     * @param withKeys whether push keys are shown: to scope live:write only
     */
    ObjectNode of(StreamDefinition stream, boolean withKeys) {
        return of(stream, withKeys, recent(List.of(stream)));
    }

    /** A page of them, as {@link #of(StreamDefinition, boolean)} shows each. */
    Page<ObjectNode> of(Page<StreamDefinition> streams, boolean withKeys) {
        Map<StreamId, List<AssetId>> recent = recent(streams.items());
        return streams.map(stream -> of(stream, withKeys, recent));
    }

    private Map<StreamId, List<AssetId>> recent(List<StreamDefinition> streams) {
        return assets.recent(streams.stream().map(StreamDefinition::id).toList(), RECENT_ASSETS);
    }

    private ObjectNode of(
            StreamDefinition stream, boolean withKeys, Map<StreamId, List<AssetId>> recent) {
        Optional<LiveStream> session = live.active(stream.id());
        StreamSettings settings = stream.settings();
        ObjectNode json = Json.object();
        json.put("id", stream.id().value());
        if (withKeys) {
            json.put("stream_key", stream.streamKey());
        }
        json.put("stream_url", streamUrl);
        json.put("status", status(stream, session.isPresent()));
        json.put("title", settings.title());
        json.put("user_metadata", settings.userMetadata());
        json.put("latency_mode", settings.latencyMode().wireName());
        json.put("record", settings.record());
        json.put("reconnect_window", settings.reconnectWindowSeconds());
        json.put("mp4_support", settings.mp4Support().wireName());
        ArrayNode playbackIds = json.putArray("playback_ids");
        stream.playbackIds().forEach(id -> playbackIds.add(of(id)));
        stream.audit().ifPresent(audit -> json.set(AuditFields.NAME, of(audit)));
        stream.watermark().ifPresent(mark -> json.set(WatermarkFields.NAME, of(mark, withKeys)));
        json.put("created_at", stream.createdAt().getEpochSecond());
        json.put(
                "active_session_id",
                stream.disabled() ? null : session.map(s -> s.session().value()).orElse(null));
        ArrayNode recentIds = json.putArray("recent_asset_ids");
        recent.getOrDefault(stream.id(), List.of()).forEach(id -> recentIds.add(id.value()));
        return json;
    }

    private static String status(StreamDefinition stream, boolean active) {
        if (stream.disabled()) {
            return StreamStatus.DISABLE.wireName();
        }
        return (active ? StreamStatus.ACTIVE : StreamStatus.IDLE).wireName();
    }

    static ObjectNode of(PlaybackId id) {
        return Json.object().put("policy", id.policy().wireName()).put("id", id.id());
    }

    /** What was asked for; {@code on_reject} and {@code gate} only where they do something. */
    static ObjectNode of(AuditSettings audit) {
        ObjectNode json = Json.object();
        json.put("frame_interval", audit.frameIntervalSeconds());
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

    ObjectNode of(WatermarkSettings watermark, boolean withKeys) {
        ObjectNode json = Json.object().put("type", watermark.type());
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
        watermark.overlay().ifPresent(o -> json.set(OverlayFields.NAME, of(o)));
        return json;
    }

    private static ObjectNode of(OverlaySettings overlay) {
        ObjectNode json = Json.object();
        overlay.width().ifPresent(v -> json.put("width", v));
        overlay.height().ifPresent(v -> json.put("height", v));
        overlay.verticalAlign().ifPresent(v -> json.put("vertical_align", v));
        overlay.horizontalAlign().ifPresent(v -> json.put("horizontal_align", v));
        overlay.opacity().ifPresent(v -> json.put("opacity", v));
        overlay.verticalMargin().ifPresent(v -> json.put("vertical_margin", v));
        overlay.horizontalMargin().ifPresent(v -> json.put("horizontal_margin", v));
        return json;
    }
}
