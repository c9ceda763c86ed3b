package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import touchline.api.asset.AssetFolders;
import touchline.api.domain.AssetId;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.ObjectStorage.FileSlice;
import touchline.api.storage.StorageException;
import touchline.packager.record.Recording;
import touchline.packager.record.SegmentTail;

/** Writes the objects of assets, one request each, and counts them. Blocks; any thread. */
record ObjectWriter(
        AssetFolders folders, ObjectBucket bucket, ObjectKeys keys, HomeCounters counters) {
    private static final String SEGMENTS = "video/iso.segment";
    private static final String OTHER = "application/octet-stream";

    /** Writes a whole file. */
    void put(AssetId asset, String name) throws IOException {
        Path file = folders.of(asset).resolve(name);
        long bytes = Files.size(file);
        bucket.put(keys.of(asset, name), file, contentType(name));
        counters.uploaded(bytes);
    }

    /**
     * Writes the first lines of an index that is being written.
     *
     * @param bytes of these lines
     */
    void putIndex(AssetId asset, long bytes) throws IOException {
        Path file = folders.of(asset).resolve(Recording.INDEX);
        bucket.put(keys.of(asset, Recording.INDEX), new FileSlice(file, 0, bytes), OTHER);
        counters.uploaded(bytes);
    }

    void putTail(AssetId asset, SegmentTail tail) throws IOException {
        Path file = folders.of(asset).resolve(tail.segment().fileName());
        bucket.put(
                keys.of(asset, ObjectKeys.TAIL + tail.name()),
                new FileSlice(file, tail.offsetBytes(), tail.sizeBytes()),
                SEGMENTS);
        counters.tailUploaded(tail.sizeBytes());
    }

    /**
     * Deletes tails whose segments are in a stored file.
     *
     * @param names without the folder
     */
    void deleteTails(AssetId asset, Collection<String> names) throws StorageException {
        if (!names.isEmpty()) {
            bucket.delete(
                    names.stream().map(name -> keys.of(asset, ObjectKeys.TAIL + name)).toList());
            counters.tailsDeleted(names.size());
        }
    }

    private static String contentType(String name) {
        if (FolderContent.isMedia(name)) {
            return SEGMENTS;
        }
        return name.endsWith(".mp4") ? "video/mp4" : OTHER;
    }
}
