package touchline.api.asset;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.Asset;
import touchline.api.domain.Mp4Support;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;
import touchline.packager.record.StoredPlayback;

/**
 * Prepares the MP4 of a recording that has ended, so that the first download does not wait for it.
 * Without it the first download makes it. Blocks; any thread.
 */
final class Mp4Preparation {
    private static final Logger log = LoggerFactory.getLogger(Mp4Preparation.class);

    private final AssetFolders folders;
    private final AssetFiles files;

    /**
     * @param files brings back what is not on this disk
     */
    Mp4Preparation(AssetFolders folders, AssetFiles files) {
        this.folders = folders;
        this.files = files;
    }

    /** Whether its MP4 is a scaled copy; false where its frames are not known. */
    boolean isAboveCap(Asset asset) {
        Path folder = folders.of(asset.id());
        try {
            return asset.labels().mp4Support() != Mp4Support.NONE
                    && StoredPlayback.shorterSide(Recording.load(folder), folder)
                            > Renditions.MAX_SHORTER_SIDE;
        } catch (IOException | RuntimeException e) {
            log.warn("asset={} its frames are not known: {}", asset.id(), e.toString());
            return false;
        }
    }

    /**
     * Makes its head, which needs all media here. No effect where no MP4 is wanted, or it is
     * scaled.
     *
     * @return whether it is made
     */
    boolean prepare(Asset asset) {
        Path folder = folders.of(asset.id());
        try {
            if (asset.labels().mp4Support() == Mp4Support.NONE || isAboveCap(asset)) {
                return false;
            }
            files.ensure(
                    asset.id(),
                    Recording.load(folder).segments().stream()
                            .map(segment -> folder.resolve(segment.fileName()))
                            .distinct()
                            .toList());
            StoredMp4 _ = StoredMp4.open(folder);
            return true;
        } catch (IOException | RuntimeException e) {
            log.warn("asset={} its MP4 is not prepared: {}", asset.id(), e.toString());
            return false;
        }
    }
}
