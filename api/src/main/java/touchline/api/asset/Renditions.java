package touchline.api.asset;

import java.util.OptionalLong;
import touchline.api.domain.AssetId;

/**
 * Port: creates the MP4s of assets with frames above 1080p, or of several formats, one after the
 * other. Any thread; returns at once.
 */
public interface Renditions {
    /** Creates none. */
    Renditions NONE =
            new Renditions() {
                @Override
                public void request(AssetId asset) {}

                @Override
                public void cancel(AssetId asset) {}

                @Override
                public OptionalLong secondsLeft(AssetId asset) {
                    return OptionalLong.empty();
                }
            };

    /**
     * Folder of the scaled copy, inside the asset's. The copy is complete when its index exists.
     */
    String FOLDER = "capped-1080p";

    /** A file beside it with the reason of a final failure. */
    String REFUSED = "capped-1080p.txt";

    /** Maximum shorter side of an MP4's frames. */
    int MAX_SHORTER_SIDE = 1080;

    /** Requests the scaled MP4 of an asset. Idempotent. */
    void request(AssetId asset);

    /** Drops the request of a deleted asset. */
    void cancel(AssetId asset);

    /** Expected seconds until a scaled MP4 is there; empty until its progress is known. */
    OptionalLong secondsLeft(AssetId asset);
}
