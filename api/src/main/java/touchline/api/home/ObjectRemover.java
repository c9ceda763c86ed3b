package touchline.api.home;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.AssetUploads;
import touchline.api.domain.AssetId;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.StorageException;

/** Deletes the objects of deleted assets, some time after them. Blocks; one thread. */
final class ObjectRemover {
    private static final Logger log = LoggerFactory.getLogger(ObjectRemover.class);
    private static final int AT_ONCE = 100;

    /** After this time any node deletes what another one should have deleted. */
    static final Duration OVERDUE = Duration.ofHours(1);

    private final AssetUploads uploads;
    private final ObjectBucket bucket;
    private final ObjectKeys keys;
    private final Duration deleteAfter;
    private final InstantSource clock;

    ObjectRemover(
            AssetUploads uploads,
            ObjectBucket bucket,
            ObjectKeys keys,
            Duration deleteAfter,
            InstantSource clock) {
        this.uploads = uploads;
        this.bucket = bucket;
        this.keys = keys;
        this.deleteAfter = deleteAfter;
        this.clock = clock;
    }

    /**
     * Deletes what is due. An upload that was under way when its asset was deleted may add an
     * object: the row goes when a listing is empty.
     *
     * @throws StorageException the rest is deleted by a later call
     */
    void removeDue() throws StorageException {
        Instant due = clock.instant().minus(deleteAfter);
        for (AssetId asset : uploads.deletedBefore(due, due.minus(OVERDUE), AT_ONCE)) {
            String folder = keys.folder(asset);
            int deleted = 0;
            for (var left = bucket.list(folder).keySet();
                    !left.isEmpty();
                    left = bucket.list(folder).keySet()) {
                bucket.delete(left);
                deleted += left.size();
            }
            uploads.forget(asset);
            log.info("asset={} its {} objects are deleted", asset, deleted);
        }
    }
}
