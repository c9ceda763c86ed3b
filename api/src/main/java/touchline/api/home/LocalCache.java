package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetFolders;
import touchline.api.db.AssetUploads;
import touchline.api.domain.AssetId;
import touchline.media.store.DiskSpace;

/**
 * Keeps the local files of assets that are in S3 below a limit, and space on the disk for
 * recordings: it removes those with media that were not used for the longest time. Indexes, init
 * segments and MP4 heads stay. Files of assets in use stay, and so do files that were used a moment
 * ago, since a response may be about to open them; an open file can be removed safely. Blocks; one
 * thread.
 */
final class LocalCache {
    private static final Logger log = LoggerFactory.getLogger(LocalCache.class);
    private static final Duration MOMENT = Duration.ofMinutes(1);

    /** Most bytes of a file with segments. */
    private static final long FILE_BYTES = 16L << 20;

    private final AssetFolders folders;
    private final AssetUploads uploads;
    private final FileUses uses;
    private final HomeCounters counters;
    private final Predicate<AssetId> inUse;
    private final Supplier<DiskSpace.Least> leastFree;
    private final InstantSource clock;
    private final long maxBytes;

    private record Cached(AssetId asset, Path file, long bytes, long usedMs) {}

    /**
     * What it works with; borrowed.
     *
     * @param inUse whether files of an asset are read, or a clip is cut from it
     * @param leastFree recording stops below it
     */
    record Dependencies(
            AssetFolders folders,
            AssetUploads uploads,
            FileUses uses,
            HomeCounters counters,
            Predicate<AssetId> inUse,
            Supplier<DiskSpace.Least> leastFree,
            InstantSource clock) {}

    /**
     * @param maxBytes of media files; 0: as much as the disk takes
     */
    LocalCache(Dependencies dependencies, long maxBytes) {
        this.folders = dependencies.folders();
        this.uploads = dependencies.uploads();
        this.uses = dependencies.uses();
        this.counters = dependencies.counters();
        this.inUse = dependencies.inUse();
        this.leastFree = dependencies.leastFree();
        this.clock = dependencies.clock();
        this.maxBytes = maxBytes;
    }

    /** Removes what is above the limit, and what the disk needs so that recording does not stop. */
    void trim() {
        long shortage = shortageBytes();
        if (maxBytes == 0 && shortage == 0) {
            return;
        }
        List<Cached> files = new ArrayList<>();
        for (AssetId asset : uploads.uploaded(names())) {
            add(asset, files);
        }
        long bytes = files.stream().mapToLong(Cached::bytes).sum();
        long excess = Math.max(shortage, maxBytes == 0 ? 0 : bytes - maxBytes);
        if (excess > 0) {
            files.sort(Comparator.comparingLong(Cached::usedMs));
            long freed = removed(files, excess);
            bytes -= freed;
            if (shortage > 0) {
                log.info("the disk is nearly full: {} bytes that are in S3 were removed", freed);
            }
        }
        counters.cached(bytes);
    }

    /** A file has one inode, and at most so many bytes: so enough files go. */
    private long shortageBytes() {
        DiskSpace.Least wanted = leastFree.get().withMargin();
        try {
            DiskSpace now = folders.space();
            long inodes = Math.max(0, wanted.inodes() - now.freeInodes());
            long bytes = Math.max(0, wanted.bytes() - now.freeBytes());
            return Math.max(bytes, inodes * FILE_BYTES);
        } catch (IOException e) {
            log.warn("cannot read free disk space: {}", e.toString());
            return 0;
        }
    }

    /** In a cluster also folders of what other nodes have recorded, as far as it came here. */
    private Set<String> names() {
        try {
            return folders.names();
        } catch (IOException e) {
            log.warn("the asset folders cannot be listed: {}", e.toString());
            return Set.of();
        }
    }

    private void add(AssetId asset, List<Cached> files) {
        Path folder = folders.of(asset);
        try {
            for (String name : FolderContent.finished(folder).media()) {
                Path file = folder.resolve(name);
                files.add(new Cached(asset, file, Files.size(file), uses.lastMs(file)));
            }
        } catch (NoSuchFileException _) {
            // It was deleted, or is not on this disk.
        } catch (IOException e) {
            log.warn("asset={} its local files are not counted: {}", asset, e.toString());
        }
    }

    private long removed(List<Cached> oldestFirst, long excessBytes) {
        long before = clock.millis() - MOMENT.toMillis();
        long freed = 0;
        for (Cached each : oldestFirst) {
            if (freed >= excessBytes || each.usedMs() > before) {
                break;
            }
            if (!inUse.test(each.asset()) && remove(each)) {
                freed += each.bytes();
            }
        }
        return freed;
    }

    private boolean remove(Cached cached) {
        try {
            Files.deleteIfExists(cached.file());
            uses.forget(cached.file());
            counters.evicted(cached.bytes());
            return true;
        } catch (IOException e) {
            log.warn("asset={} a file stays: {}", cached.asset(), e.toString());
            return false;
        }
    }
}
