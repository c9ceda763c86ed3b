package touchline.api.asset;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import touchline.api.db.Epoch;
import touchline.api.domain.AssetId;
import touchline.media.SessionId;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.Recording;

/** A store that holds what a test puts into it, and notes what it is asked to do. */
public final class StoredElsewhere implements AssetFiles {
    /** Assets with all files in the store. */
    public final Set<AssetId> stored = ConcurrentHashMap.newKeySet();

    /** Their indexes. */
    public final Map<AssetId, Recording> indexes = new ConcurrentHashMap<>();

    /** What is stored of recordings that were never finished. */
    public final Map<AssetId, Rebuilt> rebuilt = new ConcurrentHashMap<>();

    /** Assets of other nodes. */
    public final Set<AssetId> elsewhere = ConcurrentHashMap.newKeySet();

    public final List<String> calls = new CopyOnWriteArrayList<>();

    /** The store does not answer. */
    public volatile boolean isAway;

    /** Runs before a recording is made from what is stored of it. */
    public volatile Runnable beforeRebuild = () -> {};

    /** Segments of running recordings are stored. */
    public volatile boolean sharesRecordings;

    private void requireAnswer() throws MediaAwayException {
        if (isAway) {
            throw new MediaAwayException("S3: away");
        }
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public boolean sharesRecordings() {
        return sharesRecordings;
    }

    @Override
    public Set<AssetId> stored() {
        return Set.copyOf(stored);
    }

    @Override
    public boolean isStored(AssetId asset) {
        return stored.contains(asset);
    }

    @Override
    public void ensureHead(AssetId asset) throws IOException {
        requireAnswer();
        calls.add("head " + asset);
    }

    @Override
    public void ensureScaled(AssetId asset) {}

    @Override
    public void ensure(AssetId asset, Collection<Path> files) throws IOException {
        requireAnswer();
        calls.add("files " + files.stream().map(Path::getFileName).toList());
    }

    @Override
    public CompletableFuture<Path> arrival(AssetId asset, Path file) {
        return CompletableFuture.completedFuture(file);
    }

    @Override
    public Optional<Rebuilt> rebuild(AssetId asset) throws IOException {
        requireAnswer();
        beforeRebuild.run();
        return Optional.ofNullable(rebuilt.get(asset));
    }

    @Override
    public Optional<Rebuilt> reopen(AssetId asset) throws IOException {
        return rebuild(asset);
    }

    @Override
    public Duration continueWithin() {
        return Duration.ZERO;
    }

    @Override
    public boolean takeOver(AssetId asset, SessionId session, Epoch epoch) {
        return elsewhere.remove(asset);
    }

    @Override
    public void discard(AssetId asset) {
        calls.add("discard " + asset);
    }

    @Override
    public void flush(AssetId asset) {
        calls.add("flush " + asset);
    }

    @Override
    public boolean isHere(AssetId asset) {
        return !elsewhere.contains(asset);
    }

    @Override
    public boolean isLeft(AssetId asset) {
        return isHere(asset);
    }

    @Override
    public Recording storedIndex(AssetId asset) throws IOException {
        requireAnswer();
        Recording index = indexes.get(asset);
        if (index == null) {
            throw new NoSuchFileException(asset.value());
        }
        return index;
    }

    @Override
    public void grown(AssetId asset) {
        calls.add("grown " + asset);
    }

    @Override
    public void changed(AssetId asset) {
        calls.add("changed " + asset);
    }
}
