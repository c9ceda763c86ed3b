package touchline.api.asset;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import touchline.api.db.Epoch;
import touchline.api.domain.AssetId;
import touchline.media.SessionId;
import touchline.packager.record.Recording;

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
                public boolean sharesRecordings() {
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
                public CompletableFuture<Path> arrival(AssetId asset, Path file) {
                    return CompletableFuture.completedFuture(file);
                }

                @Override
                public Optional<Rebuilt> rebuild(AssetId asset) {
                    return Optional.empty();
                }

                @Override
                public Optional<Rebuilt> reopen(AssetId asset) {
                    return Optional.empty();
                }

                @Override
                public Duration continueWithin() {
                    return Duration.ZERO;
                }

                @Override
                public boolean takeOver(AssetId asset, SessionId session, Epoch epoch) {
                    return false;
                }

                @Override
                public void discard(AssetId asset) {}

                @Override
                public void flush(AssetId asset) {}

                @Override
                public boolean isHere(AssetId asset) {
                    return true;
                }

                @Override
                public boolean isLeft(AssetId asset) {
                    return true;
                }

                @Override
                public Recording storedIndex(AssetId asset) throws NoSuchFileException {
                    throw new NoSuchFileException(asset.value());
                }

                @Override
                public void grown(AssetId asset) {}

                @Override
                public void changed(AssetId asset) {}
            };

    /** Whether files can be brought back at all. */
    boolean isRemote();

    /**
     * Whether segments of running recordings are stored, so that other nodes can go on with them.
     */
    boolean sharesRecordings();

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

    /** A file with media: done when it is there. Does not block. */
    CompletableFuture<Path> arrival(AssetId asset, Path file);

    /**
     * A recording that was never finished, and whose folder is lost.
     *
     * @param sizeBytes of all its files, here and in the store
     */
    record Rebuilt(long durationUs, long sizeBytes) {}

    /**
     * Makes the end of a recording whose folder is lost, and its index, from what was stored while
     * it ran. May be called again after a failure, whatever is in the folder.
     *
     * @return empty if nothing was stored
     */
    Optional<Rebuilt> rebuild(AssetId asset) throws IOException;

    /**
     * The same for a recording of another node that may go on here: the index stays open, and its
     * folder is a copy. What this node still has of it from an earlier time must be stored too.
     *
     * @return empty if nothing was stored, it has ended, or it is this node's
     */
    Optional<Rebuilt> reopen(AssetId asset) throws IOException;

    /** How long a session waits for that; it goes on with another recording then. */
    Duration continueWithin();

    /**
     * Makes a reopened recording this node's, so that its former node changes it no more. May be
     * repeated after a failure of the database.
     *
     * @param epoch under which this node owns the stream of its session
     * @return false if it must not go on here
     */
    boolean takeOver(AssetId asset, SessionId session, Epoch epoch);

    /** Removes what {@link #reopen} has made of a recording that does not go on here. */
    void discard(AssetId asset);

    /** Waits for some seconds until a recording that does not grow here any more is stored. */
    void flush(AssetId asset);

    /** Whether a recording is this node's. */
    boolean isHere(AssetId asset);

    /** Whether a recording of this node has not ended, and can go on at no other node any more. */
    boolean isLeft(AssetId asset);

    /** The index of an asset with all files in the store, as it is there. */
    Recording storedIndex(AssetId asset) throws IOException;

    /** A recording that runs has a further segment on the disk. Does not block. */
    void grown(AssetId asset);

    /** A finished asset has new files. */
    void changed(AssetId asset);
}
