package touchline.api.asset;

import java.io.IOException;
import java.nio.file.Path;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetOrigin;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredPlayback;

/** Which assets have an MP4 of encoded frames instead of a view of their files. Stateless. */
public final class Mp4Source {
    private Mp4Source() {}

    /**
     * Whether frames are above 1080p, or a clip of several ranges has several codec configurations.
     * Reads init segments; blocks.
     */
    public static boolean isEncoded(Asset asset, Recording recording, Path folder)
            throws IOException {
        return needsOneFormat(asset, recording)
                || StoredPlayback.shorterSide(recording, folder) > Renditions.MAX_SHORTER_SIDE;
    }

    /** Whether a clip of several ranges has several codec configurations. */
    public static boolean needsOneFormat(Asset asset, Recording recording) {
        return asset.origin() instanceof AssetOrigin.Joined && recording.inits().size() > 1;
    }
}
