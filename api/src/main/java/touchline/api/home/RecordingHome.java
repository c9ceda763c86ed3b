package touchline.api.home;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.audit.EvidenceFolder;
import touchline.api.audit.FrameHome;
import touchline.api.db.AbandonedAssets;
import touchline.api.db.AssetObjects;
import touchline.api.db.AssetUploads;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.EvidenceUploads;
import touchline.api.domain.AssetId;
import touchline.api.domain.EventType;
import touchline.api.maintenance.PeriodicTask;
import touchline.api.storage.ObjectBucket;
import touchline.media.store.DiskSpace;

/**
 * S3 as the home of recordings, clips and evidence frames: uploads them, brings files back, keeps
 * the local copies within their limit, and deletes objects. One thread starts and closes it.
 */
public final class RecordingHome implements HomeOperation, AutoCloseable {
    private static final Duration DRAIN = Duration.ofSeconds(4);
    private static final Duration UPLOAD_PAUSE = Duration.ofSeconds(2);
    private static final Duration UPKEEP_PAUSE = Duration.ofSeconds(30);
    private static final int EXAMPLES = 20;

    /** Pauses between two looks for recordings of nodes that are gone. */
    private static final Duration SHORTEST_LOOK = Duration.ofSeconds(2);

    private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);

    private final Dependencies parts;
    private final ObjectKeys keys;
    private final FileUses uses;
    private final HomeCounters counters = new HomeCounters();
    private final GrowingUploads growing;
    private final Fetch fetch;
    private final Uploader uploader;
    private final EvidenceHome evidence;
    private @Nullable PeriodicTask finishing;
    private @Nullable PeriodicTask upkeep;
    private boolean uploads;
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** Port: finishes a recording of this server that nothing records any more. */
    @FunctionalInterface
    public interface Finishing {
        /**
         * @throws IOException to be tried again
         */
        void finish(AssetId asset) throws IOException;
    }

    /**
     * What it works with; borrowed, but for the bucket.
     *
     * @param evidence frames of moderation
     * @param bucket closed by the home
     * @param prefix of all keys; may be empty
     * @param parallel uploads of finished assets at once, as many of running recordings, and as
     *     many downloads
     * @param withTails whether each segment of a running recording is uploaded on its own
     * @param finishAfter how long a node must be gone before its recordings are finished here
     * @param continueWithin how long a session that goes on here waits for its recording
     * @param cacheBytes of local files that are in S3 as well; 0: no limit
     * @param deleteAfter how long the objects of a deleted asset stay
     * @param leastFree nothing is brought back while the disk has less, and local files that are in
     *     S3 go before it has
     * @param events stores an event about the storage
     */
    public record Dependencies(
            AssetFolders folders,
            AssetUploads uploads,
            AssetObjects objects,
            EvidenceParts evidence,
            AbandonedAssets abandoned,
            ObjectBucket bucket,
            String prefix,
            int parallel,
            boolean withTails,
            Duration finishAfter,
            Duration continueWithin,
            long cacheBytes,
            Duration deleteAfter,
            Supplier<DiskSpace.Least> leastFree,
            BiConsumer<EventType, ObjectNode> events,
            InstantSource clock) {}

    /**
     * Evidence frames of moderation, in the data folder and in the database.
     *
     * @param folder frames of this server
     * @param copies an empty folder for those of other nodes
     */
    public record EvidenceParts(
            EvidenceFolder folder, Path copies, EvidenceRepository rows, EvidenceUploads uploads) {}

    public RecordingHome(Dependencies dependencies) {
        this.parts = dependencies;
        this.keys = new ObjectKeys(parts.prefix());
        this.uses = new FileUses(parts.clock());
        this.evidence = new EvidenceHome(parts, keys, counters);
        ObjectWriter writer = new ObjectWriter(parts.folders(), parts.bucket(), keys, counters);
        this.growing =
                new GrowingUploads(
                        new GrowingUpload.Dependencies(
                                parts.uploads(),
                                writer,
                                new Semaphore(parts.parallel(), /* fair= */ true),
                                parts.withTails(),
                                UPLOAD_PAUSE,
                                parts.clock()),
                        DRAIN);
        this.fetch =
                new Fetch(
                        new Fetch.Dependencies(
                                parts.folders(),
                                parts.uploads(),
                                parts.abandoned(),
                                parts.bucket(),
                                keys,
                                counters,
                                uses,
                                () -> parts.leastFree().get().bytes(),
                                parts.parallel(),
                                parts.continueWithin()),
                        growing);
        this.uploader =
                new Uploader(
                        new Uploader.Dependencies(
                                parts.folders(),
                                parts.uploads(),
                                writer,
                                growing,
                                parts.clock(),
                                parts.parallel(),
                                UPLOAD_PAUSE));
    }

    /** Brings files back. */
    public AssetFiles files() {
        return fetch;
    }

    /** Takes and brings evidence frames. */
    public FrameHome frames() {
        return evidence;
    }

    public HomeCounters counters() {
        return counters;
    }

    @Override
    public HomeStatus status() {
        AssetUploads.Backlog backlog = parts.uploads().backlog();
        List<AssetId> unreadable = counters.unreadable();
        long frames = parts.evidence().uploads().backlog().frames();
        return new HomeStatus(
                parts.uploads().countUploaded(),
                backlog.assets(),
                Math.max(counters.recordingBytes(), backlog.bytes()),
                backlog.oldest(),
                counters.uploadedFiles(),
                counters.uploadedBytes(),
                counters.isReachable(),
                unreadable.size(),
                unreadable.stream().limit(EXAMPLES).toList(),
                frames,
                Math.min(frames, counters.unreadableFrames()));
    }

    @Override
    public Verification.Result verify(boolean orphans, Verification.Report report)
            throws IOException, InterruptedException {
        return new Verification(
                        new Verification.Rows(
                                parts.objects(),
                                parts.evidence().rows(),
                                parts.evidence().uploads()),
                        parts.bucket(),
                        keys,
                        parts.parallel(),
                        report)
                .run(orphans);
    }

    /** Begins to upload, and does nothing else. */
    public void startUploads() {
        uploads = true;
        uploader.start();
        evidence.startUploads();
    }

    /**
     * Begins to upload, to trim and to delete.
     *
     * @param inUse whether files of an asset are read, or a clip is cut from it
     */
    public void start(Predicate<AssetId> inUse) {
        ObjectRemover remover =
                new ObjectRemover(
                        parts.uploads(), parts.bucket(), keys, parts.deleteAfter(), parts.clock());
        LocalCache cache =
                new LocalCache(
                        new LocalCache.Dependencies(
                                parts.folders(),
                                parts.uploads(),
                                uses,
                                counters,
                                inUse,
                                parts.leastFree(),
                                parts.clock()),
                        parts.cacheBytes());
        BacklogWatch watch = new BacklogWatch(counters, parts.events(), parts.clock());
        PeriodicTask task =
                new PeriodicTask(
                        "s3-upkeep",
                        UPKEEP_PAUSE,
                        () -> {
                            watch.look();
                            cache.trim();
                            evidence.upkeep();
                            remover.removeDue();
                        });
        upkeep = task;
        startUploads();
        task.start();
    }

    /**
     * Begins to finish recordings of nodes that are gone; none without a cluster.
     *
     * @param recordings finishes one that is this server's by then
     */
    public void finish(Finishing recordings) {
        CountDownLatch stop = stopping;
        AbandonedRecordings abandoned =
                new AbandonedRecordings(
                        parts.abandoned(),
                        fetch.rebuilding(),
                        recordings,
                        counters,
                        parts.finishAfter(),
                        () -> stop.getCount() == 0);
        Duration look = parts.finishAfter().dividedBy(5);
        Duration longest = look.compareTo(LONGEST_LOOK) < 0 ? look : LONGEST_LOOK;
        PeriodicTask task =
                new PeriodicTask(
                        "s3-finishing",
                        longest.compareTo(SHORTEST_LOOK) < 0 ? SHORTEST_LOOK : longest,
                        abandoned::look);
        finishing = task;
        task.start();
    }

    @Override
    public void close() {
        stopping.countDown();
        if (finishing != null) {
            finishing.close();
        }
        PeriodicTask task = upkeep;
        if (task != null) {
            task.close();
        }
        if (uploads) {
            uploader.close();
            evidence.closeUploads();
        }
        parts.bucket().close();
    }
}
