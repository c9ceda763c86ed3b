package touchline.api.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetOrigin;

/** Assets as the API shows them. Stateless. */
public final class AssetView {
    private static final double MS_PER_SECOND = 1_000;
    private static final long US_PER_MS = 1_000;
    private static final long US_PER_SECOND = 1_000_000;

    private AssetView() {}

    public static ObjectNode of(Asset asset) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("asset_id", asset.id().value());
        json.put("status", asset.state().status().wireName());
        json.put("is_live", asset.state().live());
        json.put("duration", seconds(asset.state().durationUs()));
        json.put("live_stream_id", asset.stream().value());
        putSources(json, asset.origin());
        json.set("playback_ids", playbackIds(asset));
        json.put("title", asset.labels().title());
        json.put("user_metadata", asset.labels().userMetadata());
        json.put("mp4_support", asset.labels().mp4Support().wireName());
        asset.state().progress().ifPresent(progress -> json.put("progress", progress));
        ArrayNode errors = json.putArray("errors");
        for (AssetError error : asset.state().errors()) {
            errors.addObject().put("type", error.type()).put("message", error.message());
        }
        json.put("created_at", asset.createdAt().getEpochSecond());
        return json;
    }

    /** The answer to the creation of a clip: {@code duration} in whole seconds. */
    public static ObjectNode ofNewClip(Asset clip) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("asset_id", clip.id().value());
        putSources(json, clip.origin());
        json.put("status", clip.state().status().wireName());
        json.put("duration", Math.ceilDiv(clip.state().durationUs(), US_PER_SECOND));
        json.put("live_stream_id", clip.stream().value());
        json.set("playback_ids", playbackIds(clip));
        json.put("user_metadata", clip.labels().userMetadata());
        return json;
    }

    /** Of a clip; the ranges only where it has several. */
    private static void putSources(ObjectNode json, AssetOrigin origin) {
        if (!origin.ranges().isEmpty()) {
            json.put("source_asset_id", origin.ranges().getFirst().source().value());
        }
        if (origin instanceof AssetOrigin.Joined(var ranges)) {
            ArrayNode list = json.putArray("ranges");
            for (AssetOrigin.Cut range : ranges) {
                list.addObject()
                        .put("asset_id", range.source().value())
                        .put("start_time", seconds(range.startUs()))
                        .put("end_time", seconds(range.endUs()));
            }
        }
    }

    /** Rounded down to milliseconds, so that it is valid as the end of a clip. */
    public static double seconds(long durationUs) {
        return Math.floorDiv(durationUs, US_PER_MS) / MS_PER_SECOND;
    }

    private static ArrayNode playbackIds(Asset asset) {
        ArrayNode ids = JsonNodeFactory.instance.arrayNode();
        asset.playbackIds().forEach(id -> ids.add(PlaybackIdView.of(id)));
        return ids;
    }
}
