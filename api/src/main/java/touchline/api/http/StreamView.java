package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import touchline.api.db.AssetRepository;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.AssetId;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.Page;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.api.session.LiveControl;
import touchline.api.view.LiveStreamView;
import touchline.api.view.PlaybackIdView;
import touchline.media.StreamId;

/** Live streams as JSON, with their running session and recordings. Any thread. */
final class StreamView {
    private final LiveControl live;
    private final AssetRepository assets;
    private final LiveStreamView view;

    /**
     * @param assets source of the newest recordings
     * @param rtmpUrl push address for encoders, with the application's name
     */
    StreamView(LiveControl live, AssetRepository assets, URI rtmpUrl) {
        this.live = live;
        this.assets = assets;
        this.view = new LiveStreamView(rtmpUrl);
    }

    /**
     * @param withKeys whether push keys are shown: for scope live:write only
     */
    ObjectNode of(StreamDefinition stream, boolean withKeys) {
        return of(stream, withKeys, recent(List.of(stream)));
    }

    /** A page of streams, each as in {@link #of(StreamDefinition, boolean)}. */
    Page<ObjectNode> of(Page<StreamDefinition> streams, boolean withKeys) {
        Map<StreamId, List<AssetId>> recent = recent(streams.items());
        return streams.map(stream -> of(stream, withKeys, recent));
    }

    private Map<StreamId, List<AssetId>> recent(List<StreamDefinition> streams) {
        return assets.recent(
                streams.stream().map(StreamDefinition::id).toList(), LiveStreamView.RECENT_ASSETS);
    }

    private ObjectNode of(
            StreamDefinition stream, boolean withKeys, Map<StreamId, List<AssetId>> recent) {
        return view.of(
                stream,
                live.active(stream.id()).map(ActiveSession::of),
                recent.getOrDefault(stream.id(), List.of()),
                withKeys);
    }

    static ObjectNode of(PlaybackId id) {
        return PlaybackIdView.of(id);
    }

    /** The requested settings; {@code on_reject} and {@code gate} only where they are on. */
    static ObjectNode of(AuditSettings audit) {
        return LiveStreamView.of(audit);
    }

    ObjectNode of(WatermarkSettings watermark, boolean withKeys) {
        return view.of(watermark, withKeys);
    }
}
