package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import touchline.api.db.AssetRepository;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.AssetId;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.Page;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.api.view.LiveStreamView;
import touchline.api.view.PlaybackIdView;
import touchline.media.StreamId;

/** Live streams as JSON, with their running session and recordings. Any thread. */
final class StreamView {
    private final StreamActivity activity;
    private final AssetRepository assets;
    private final LiveStreamView view;
    private final ToIntFunction<StreamId> viewers;

    /**
     * @param assets source of the newest recordings
     * @param rtmpUrl push address for encoders, with the application's name
     * @param viewers of a stream now
     */
    StreamView(
            StreamActivity activity,
            AssetRepository assets,
            URI rtmpUrl,
            ToIntFunction<StreamId> viewers) {
        this.activity = activity;
        this.viewers = viewers;
        this.assets = assets;
        this.view = new LiveStreamView(rtmpUrl);
    }

    /**
     * @param withKeys whether push keys are shown: for scope live:write only
     */
    ObjectNode of(StreamDefinition stream, boolean withKeys) {
        return of(stream, withKeys, shownWith(List.of(stream)));
    }

    /** A page of streams, each as in {@link #of(StreamDefinition, boolean)}. */
    Page<ObjectNode> of(Page<StreamDefinition> streams, boolean withKeys) {
        ShownWith shownWith = shownWith(streams.items());
        return streams.map(stream -> of(stream, withKeys, shownWith));
    }

    /** What streams are shown with. */
    private record ShownWith(
            Map<StreamId, ActiveSession> active, Map<StreamId, List<AssetId>> recent) {}

    private ShownWith shownWith(List<StreamDefinition> streams) {
        List<StreamId> ids = streams.stream().map(StreamDefinition::id).toList();
        return new ShownWith(
                activity.sessions(ids), assets.recent(ids, LiveStreamView.RECENT_ASSETS));
    }

    private ObjectNode of(StreamDefinition stream, boolean withKeys, ShownWith shownWith) {
        Optional<ActiveSession> active = Optional.ofNullable(shownWith.active().get(stream.id()));
        ObjectNode json =
                view.of(
                        stream,
                        active,
                        shownWith.recent().getOrDefault(stream.id(), List.of()),
                        withKeys);
        if (active.isPresent() && !stream.disabled()) {
            json.put("viewers", viewers.applyAsInt(stream.id()));
        }
        return json;
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
