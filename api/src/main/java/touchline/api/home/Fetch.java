package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.FolderTree;
import touchline.api.asset.Renditions;
import touchline.api.db.AbandonedAssets;
import touchline.api.db.AssetUploads;
import touchline.api.db.DatabaseException;
import touchline.api.db.Epoch;
import touchline.api.domain.AssetId;
import touchline.api.domain.RandomText;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.StorageException;
import touchline.media.SessionId;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.Recording;

/**
 * Brings files of assets back from S3. Each object is fetched once for all that wait for it, into a
 * file with a temporary name, which takes its own name when length and checksum are right. A
 * bounded number is fetched at once. Any thread.
 */
final class Fetch implements AssetFiles {
    private static final Logger log = LoggerFactory.getLogger(Fetch.class);
    private static final int TRIES = 3;
    private static final int NAME_BITS = 64;

    private final AssetFolders folders;
    private final AssetUploads uploads;
    private final AbandonedAssets abandoned;
    private final ObjectBucket bucket;
    private final ObjectKeys keys;
    private final HomeCounters counters;
    private final FileUses uses;
    private final LongSupplier leastFreeBytes;
    private final Semaphore places;
    private final Growth growing;
    private final RecordingRebuild rebuild;

    /** Files on their way, by their paths. */
    private final Map<Path, CompletableFuture<Path>> running = new ConcurrentHashMap<>();

    private final Duration continueWithin;

    /** Heads on their way. */
    private final Map<AssetId, CompletableFuture<AssetId>> heads = new ConcurrentHashMap<>();

    /** The same of scaled copies. */
    private final Map<AssetId, CompletableFuture<AssetId>> scaled = new ConcurrentHashMap<>();

    /**
     * What it works with; borrowed.
     *
     * @param leastFreeBytes nothing is fetched while the disk has less
     * @param parallel files at once
     * @param continueWithin how long a session that goes on here waits for its recording
     */
    record Dependencies(
            AssetFolders folders,
            AssetUploads uploads,
            AbandonedAssets abandoned,
            ObjectBucket bucket,
            ObjectKeys keys,
            HomeCounters counters,
            FileUses uses,
            LongSupplier leastFreeBytes,
            int parallel,
            Duration continueWithin) {}

    /** Port: the uploads of recordings that run. */
    @FunctionalInterface
    interface Growth {
        /** A recording has a further segment. Does not block. */
        void grown(AssetId asset);

        /** A recording gets no further segment here: waits for some seconds until all is stored. */
        default void flush(AssetId asset) {}

        /** Whether each segment is stored when it is complete. */
        default boolean isBySegment() {
            return true;
        }
    }

    Fetch(Dependencies dependencies, Growth growing) {
        this.growing = growing;
        this.rebuild = new RecordingRebuild(dependencies, this);
        this.folders = dependencies.folders();
        this.uploads = dependencies.uploads();
        this.abandoned = dependencies.abandoned();
        this.bucket = dependencies.bucket();
        this.keys = dependencies.keys();
        this.counters = dependencies.counters();
        this.uses = dependencies.uses();
        this.leastFreeBytes = dependencies.leastFreeBytes();
        this.places = new Semaphore(dependencies.parallel());
        this.continueWithin = dependencies.continueWithin();
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public boolean sharesRecordings() {
        return growing.isBySegment();
    }

    @Override
    public Set<AssetId> stored() {
        return uploads.uploaded();
    }

    @Override
    public boolean isStored(AssetId asset) {
        return uploads.isUploaded(asset);
    }

    @Override
    public void ensureHead(AssetId asset) throws IOException {
        if (!Files.exists(folders.of(asset).resolve(Recording.INDEX))) {
            once(heads, asset, () -> bringHead(asset));
        }
    }

    private AssetId bringHead(AssetId asset) throws IOException {
        // Of a recording that runs, S3 has a part of the index.
        if (uploads.isOnlyElsewhere(asset)) {
            throw new MediaAwayException(
                    "the node that recorded " + asset + " has not uploaded it yet");
        }
        List<String> names = names(asset);
        if (!names.contains(Recording.INDEX)) {
            throw new NoSuchFileException(keys.of(asset, Recording.INDEX));
        }
        log.info("asset={} comes from S3", asset);
        folders.markCopy(asset);
        bringHeads(asset, names, Recording.INDEX);
        return asset;
    }

    /** The index comes last: with it, the rest is there. */
    private void bringHeads(AssetId asset, List<String> names, String index) throws IOException {
        Path folder = folders.of(asset);
        ensure(
                asset,
                names.stream()
                        .filter(name -> !FolderContent.isMedia(name) && !name.equals(index))
                        .map(folder::resolve)
                        .toList());
        if (names.contains(index)) {
            ensure(asset, List.of(folder.resolve(index)));
        }
    }

    @Override
    public void ensureScaled(AssetId asset) throws IOException {
        // What this node has made is on its disk.
        if (folders.isCopy(asset)) {
            once(
                    scaled,
                    asset,
                    () -> {
                        List<String> made =
                                names(asset).stream()
                                        .filter(name -> name.startsWith(Renditions.FOLDER))
                                        .toList();
                        bringHeads(asset, made, Renditions.FOLDER + "/" + Recording.INDEX);
                        return asset;
                    });
        }
    }

    private List<String> names(AssetId asset) throws IOException {
        String folder = keys.folder(asset);
        try {
            return bucket.list(folder).keySet().stream()
                    .map(key -> key.substring(folder.length()))
                    .filter(FolderContent::isOurs)
                    .toList();
        } catch (StorageException e) {
            counters.fetchFailed();
            throw new MediaAwayException("S3: " + e.getMessage(), e);
        }
    }

    @Override
    public void ensure(AssetId asset, Collection<Path> files) throws IOException {
        List<CompletableFuture<Path>> coming = new ArrayList<>();
        files.forEach(file -> coming.add(arrival(asset, file)));
        for (CompletableFuture<Path> each : coming) {
            await(each);
        }
    }

    @Override
    public CompletableFuture<Path> arrival(AssetId asset, Path file) {
        uses.used(file);
        return Files.exists(file)
                ? CompletableFuture.completedFuture(file)
                : begun(asset, file).copy();
    }

    private CompletableFuture<Path> begun(AssetId asset, Path file) {
        CompletableFuture<Path> mine = new CompletableFuture<>();
        CompletableFuture<Path> other = running.putIfAbsent(file, mine);
        if (other != null) {
            return other;
        }
        Thread.ofVirtual()
                .name("s3-fetch")
                .start(
                        () -> {
                            try {
                                bring(asset, file);
                                mine.complete(file);
                            } catch (IOException | RuntimeException | Error e) {
                                mine.completeExceptionally(e);
                            } finally {
                                running.remove(file, mine);
                            }
                        });
        return mine;
    }

    private void bring(AssetId asset, Path file) throws IOException {
        String name = folders.of(asset).relativize(file).toString();
        places.acquireUninterruptibly();
        try {
            if (Files.exists(file)) {
                return;
            }
            if (folders.freeBytes() < leastFreeBytes.getAsLong()) {
                throw new MediaAwayException("the disk has no space for media from S3");
            }
            Files.createDirectories(file.getParent());
            long bytes = fetched(keys.of(asset, name), file);
            counters.fetched(bytes);
        } finally {
            places.release();
        }
    }

    /** A damaged or broken transfer is tried again. */
    long fetched(String key, Path file) throws IOException {
        for (int tries = 1; ; tries++) {
            Path temporary =
                    file.resolveSibling(
                            file.getFileName() + "." + RandomText.ofBits(NAME_BITS) + ".tmp");
            try {
                long bytes = bucket.fetch(key, temporary);
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
                return bytes;
            } catch (NoSuchFileException e) {
                throw e;
            } catch (IOException e) {
                counters.fetchFailed();
                log.warn("{} did not come from S3: {}", key, e.toString());
                if (tries == TRIES) {
                    throw new MediaAwayException("S3: " + e.getMessage(), e);
                }
            } finally {
                Files.deleteIfExists(temporary);
            }
        }
    }

    @Override
    public Optional<Rebuilt> rebuild(AssetId asset) throws IOException {
        return rebuild.run(asset, /* ended= */ true);
    }

    @Override
    public Optional<Rebuilt> reopen(AssetId asset) throws IOException {
        return uploads.isOnlyElsewhere(asset) ? rebuild.reopen(asset) : Optional.empty();
    }

    @Override
    public Duration continueWithin() {
        return continueWithin;
    }

    @Override
    public boolean takeOver(AssetId asset, SessionId session, Epoch epoch) {
        return abandoned.takeOver(asset, session, epoch);
    }

    @Override
    public void flush(AssetId asset) {
        growing.flush(asset);
    }

    @Override
    public boolean isHere(AssetId asset) {
        return abandoned.isHere(asset);
    }

    @Override
    public boolean isLeft(AssetId asset) {
        return abandoned.isLeft(asset);
    }

    @Override
    public void discard(AssetId asset) {
        try {
            if (folders.isCopy(asset) && !abandoned.isHere(asset)) {
                FolderTree.remove(folders.of(asset));
            }
        } catch (IOException | DatabaseException e) {
            log.warn("asset={} its copy is not removed: {}", asset, e.toString());
        }
    }

    /** Makes recordings from their objects. */
    RecordingRebuild rebuilding() {
        return rebuild;
    }

    @Override
    public Recording storedIndex(AssetId asset) throws IOException {
        Path scratch = Files.createTempDirectory("touchline-index");
        try {
            long _ = fetched(keys.of(asset, Recording.INDEX), scratch.resolve(Recording.INDEX));
            return Recording.load(scratch);
        } finally {
            FolderTree.remove(scratch);
        }
    }

    @Override
    public void grown(AssetId asset) {
        growing.grown(asset);
    }

    @Override
    public void changed(AssetId asset) {
        uploads.reopen(asset);
    }

    /** Work that blocks. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException;
    }

    /** Runs the work once for all callers that ask for it meanwhile. */
    private static <K, T> void once(Map<K, CompletableFuture<T>> running, K key, Work<T> work)
            throws IOException {
        CompletableFuture<T> mine = new CompletableFuture<>();
        CompletableFuture<T> other = running.putIfAbsent(key, mine);
        if (other != null) {
            await(other);
            return;
        }
        try {
            mine.complete(work.run());
        } catch (IOException | RuntimeException | Error e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            running.remove(key, mine);
        }
    }

    private static <T> void await(CompletableFuture<T> work) throws IOException {
        try {
            T _ = work.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException known -> throw known;
                case RuntimeException bug -> throw bug;
                case Error fatal -> throw fatal;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }
}
