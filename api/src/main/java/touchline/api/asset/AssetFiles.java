package touchline.api.asset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import touchline.api.domain.AssetId;

/**
 * Port: brings back files of assets that this disk lacks, because it was lost, or because they were
 * removed to free space. The methods that throw block. Files that are there cost a look at the
 * disk. Any thread.
 *
 * <p>They throw {@link java.nio.file.NoSuchFileException} for what does not exist anywhere, and
 * {@link touchline.packager.hls.MediaAwayException} for what cannot be brought back now.
 */
public interface AssetFiles {
    /** All files are on this disk, or lost. */
    AssetFiles LOCAL =
            new AssetFiles() {
                @Override
                public boolean isRemote() {
                    return false;
                }

                @Override
                public Set<AssetId> stored() {
                    return Set.of();
                }

                @Override
                public boolean isStored(AssetId asset) {
                    return false;
                }

                @Override
                public void ensureHead(AssetId asset) {}

                @Override
                public void ensureScaled(AssetId asset) {}

                @Override
                public void ensure(AssetId asset, Collection<Path> files) {}

                @Override
                public boolean salvage(AssetId asset) {
                    return false;
                }

                @Override
                public void changed(AssetId asset) {}
            };

    /** Whether files can be brought back at all. */
    boolean isRemote();

    /** Assets of this server with all files in the store. */
    Set<AssetId> stored();

    /** Whether all files of an asset are in the store, of whichever node it is. */
    boolean isStored(AssetId asset);

    /** Index, init segments and heads of MP4s: all but media. */
    void ensureHead(AssetId asset) throws IOException;

    /**
     * All but media of the scaled copy, if the store has it. Another node may have made it after
     * the head came here.
     */
    void ensureScaled(AssetId asset) throws IOException;

    /**
     * Files with media.
     *
     * @param files in the asset's folder, or in folders below it
     */
    void ensure(AssetId asset, Collection<Path> files) throws IOException;

    /**
     * Brings back all there is of an asset whose folder is lost, however much of it was stored.
     *
     * @return false if there is nothing
     */
    boolean salvage(AssetId asset) throws IOException;

    /** A finished asset has new files. */
    void changed(AssetId asset);
}
