package touchline.api.asset;

import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.Marker;

/**
 * Markers of assets. A recording has those of its session, also those added later. A clip has a
 * copy of those that lay in its range when it was created. A recording that began behind a gap in
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

    /** Gives a new clip the markers of its range. Called in the transaction that creates it. */
    public static void copy(
            MarkerRepository markers, Asset source, Asset clip, AssetOrigin.Cut cut) {
        for (Marker marker : markers.all(owner(source))) {
            if (marker.timeUs() >= cut.startUs() && marker.timeUs() < cut.endUs()) {
                boolean _ = markers.create(owner(clip), marker.inClip(cut.startUs()));
            }
        }
    }
}
