package touchline.api.asset;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.Marker;
import touchline.packager.clip.ClipCutter;

/**
 * Markers of assets. A recording has those of its session, also those added later. A clip has a
 * copy of those that lay in its ranges when it was created. A recording that began behind a gap in
 * its session has none: its time is not the session's.
 */
public final class AssetMarkers {
    private AssetMarkers() {}

    /** Whose markers an asset shows. */
    public static Owner owner(Asset asset) {
        return asset.origin() instanceof AssetOrigin.Recorded(var session, var fromStart)
                        && fromStart
                ? Owner.of(session)
                : Owner.of(asset.id());
    }

    /**
     * Gives a new clip the markers of its ranges. Called in the transaction that creates it.
     *
     * @param sources of the ranges, in their order
     */
    public static void copy(MarkerRepository markers, List<Asset> sources, Asset clip) {
        long startUs = 0;
        int range = 0;
        Map<AssetId, List<Marker>> read = new HashMap<>();
        for (AssetOrigin.Cut cut : clip.origin().ranges()) {
            Asset source = sources.get(range);
            for (Marker marker :
                    read.computeIfAbsent(source.id(), _ -> markers.all(owner(source)))) {
                if (isIn(cut, marker.timeUs())) {
                    boolean _ = markers.create(owner(clip), marker.inClip(cut.startUs(), startUs));
                }
            }
            startUs += cut.durationUs();
            range++;
        }
    }

    private static boolean isIn(AssetOrigin.Cut cut, long us) {
        return us >= cut.startUs() && us < cut.endUs();
    }

    /**
     * Moves the markers of a clip of several ranges: each range begins with a frame, so it is up to
     * a frame shorter than requested. Called once, in the transaction that completes the clip.
     *
     * @param places of the ranges, in their order
     */
    public static void place(
            MarkerRepository markers,
            Asset clip,
            AssetOrigin.Joined joined,
            List<ClipCutter.Place> places) {
        for (Marker marker : markers.all(owner(clip))) {
            int range = 0;
            while (range + 1 < places.size() && joined.startUs(range + 1) <= marker.timeUs()) {
                range++;
            }
            AssetOrigin.Cut cut = joined.ranges().get(range);
            long sourceUs = cut.startUs() + marker.timeUs() - joined.startUs(range);
            markers.move(owner(clip), marker.id(), places.get(range).clipUs(sourceUs));
        }
    }
}
