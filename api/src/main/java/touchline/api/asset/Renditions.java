package touchline.api.asset;

import touchline.api.domain.AssetId;

/**
 * Port: makes the scaled MP4 of assets whose frames are above 1080p, one after the other. Any
 * thread; returns at once.
 */
public interface Renditions {
    /** Makes none. */
    Renditions NONE =
            new Renditions() {
                @Override
                public void want(AssetId asset) {}

                @Override
                public void forget(AssetId asset) {}
            };

    /** Folder of the scaled copy, inside the asset's: it is there when its index is. */
    String FOLDER = "capped-1080p";

    /** A file beside it that says why there will be none. */
    String REFUSED = "capped-1080p.txt";

    /** The shorter side of frames that an MP4 has at most. */
    int MAX_SHORTER_SIDE = 1080;

    /** Somebody asked for it, or the asset is finished; asking again changes nothing. */
    void want(AssetId asset);

    /** The asset is deleted. */
    void forget(AssetId asset);
}
