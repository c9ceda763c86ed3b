package touchline.api.home;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import touchline.api.domain.AssetId;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.StorageException;
import touchline.packager.record.SegmentTail;

/**
 * The objects of one asset, as a LIST shows them. Objects that this server does not make are left
 * out. Immutable.
 *
 * @param files sizes in bytes, by the names of the files
 * @param tails by their names, without the folder
 */
record StoredObjects(Map<String, Long> files, Map<String, SegmentTail> tails) {
    StoredObjects {
        files = Map.copyOf(files);
        tails = Map.copyOf(tails);
    }

    /** Costs one LIST for each thousand objects. Blocks. */
    static StoredObjects list(ObjectBucket bucket, ObjectKeys keys, AssetId asset)
            throws StorageException {
        String folder = keys.folder(asset);
        Map<String, Long> files = new TreeMap<>();
        Map<String, SegmentTail> tails = new TreeMap<>();
        bucket.visit(
                folder,
                (key, bytes) -> {
                    String name = key.substring(folder.length());
                    if (FolderContent.isOurs(name)) {
                        files.put(name, bytes);
                    }
                    tail(name, bytes).ifPresent(tail -> tails.put(tail.name(), tail));
                });
        return new StoredObjects(files, tails);
    }

    /** The tail that is stored under a name. */
    static Optional<SegmentTail> tail(String name, long objectBytes) {
        return name.startsWith(ObjectKeys.TAIL)
                ? SegmentTail.parse(name.substring(ObjectKeys.TAIL.length()), objectBytes)
                : Optional.empty();
    }

    long bytes(String file) {
        return files.getOrDefault(file, 0L);
    }
}
