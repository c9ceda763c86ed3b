package touchline.api.home;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import touchline.api.domain.AssetId;

/** What went to S3 and came from there, since the start. Any thread. */
public final class HomeCounters {
    /** Later than any time. */
    private static final long NOTHING = Long.MAX_VALUE;

    private final LongAdder uploadedFiles = new LongAdder();
    private final LongAdder uploadedBytes = new LongAdder();
    private final LongAdder uploadFailures = new LongAdder();
    private final LongAdder tails = new LongAdder();
    private final LongAdder tailBytes = new LongAdder();
    private final LongAdder deletedTails = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final LongAdder fetchedFiles = new LongAdder();
    private final LongAdder fetchedBytes = new LongAdder();
    private final LongAdder fetchFailures = new LongAdder();
    private final LongAdder evictedBytes = new LongAdder();
    private final AtomicLong cachedBytes = new AtomicLong();
    private final AtomicLong backlogBytes = new AtomicLong();
    private final AtomicLong waitingSinceMs = new AtomicLong(NOTHING);

    private final AtomicLong waitingFrames = new AtomicLong();
    private final AtomicLong waitingFrameBytes = new AtomicLong();
    private final AtomicLong framesWaitingSinceMs = new AtomicLong(NOTHING);
    private final AtomicLong unreadableFrames = new AtomicLong();

    /** Volatile: written by the thread that uploads recordings. */
    private volatile boolean recordingsTaken = true;

    /** Volatile: written by the thread that uploads evidence frames. */
    private volatile boolean framesTaken = true;

    /** Volatile: written by the uploading thread. */
    private volatile List<AssetId> unreadable = List.of();

    void uploaded(long bytes) {
        uploadedFiles.increment();
        uploadedBytes.add(bytes);
    }

    void uploadFailed() {
        uploadFailures.increment();
    }

    void tailUploaded(long bytes) {
        tails.increment();
        tailBytes.add(bytes);
    }

    void tailsDeleted(int objects) {
        deletedTails.add(objects);
    }

    /** A recording of a node that is gone. */
    void finished() {
        finished.increment();
    }

    void fetched(long bytes) {
        fetchedFiles.increment();
        fetchedBytes.add(bytes);
    }

    void fetchFailed() {
        fetchFailures.increment();
    }

    void evicted(long bytes) {
        evictedBytes.add(bytes);
    }

    void cached(long bytes) {
        cachedBytes.set(bytes);
    }

    /**
     * @param bytes not in S3 yet
     * @param sinceMs since when the oldest of these wait, in milliseconds since 1970
     */
    void backlog(long bytes, OptionalLong sinceMs) {
        backlogBytes.set(bytes);
        waitingSinceMs.set(sinceMs.orElse(NOTHING));
    }

    /**
     * The same of evidence frames.
     *
     * @param unreadable those of them whose files cannot be read
     */
    void frames(long waiting, long unreadable, long bytes, OptionalLong sinceMs) {
        waitingFrames.set(waiting);
        unreadableFrames.set(unreadable);
        waitingFrameBytes.set(bytes);
        framesWaitingSinceMs.set(sinceMs.orElse(NOTHING));
    }

    /** Whether S3 took what there was to upload of recordings. */
    void recordingsTaken(boolean is) {
        recordingsTaken = is;
    }

    /** Whether S3 took the evidence frames that there were. */
    void framesTaken(boolean is) {
        framesTaken = is;
    }

    /**
     * @param assets finished ones, whose folders or files cannot be read
     */
    void unreadable(List<AssetId> assets) {
        unreadable = List.copyOf(assets);
    }

    public long uploadedFiles() {
        return uploadedFiles.sum();
    }

    public long uploadedBytes() {
        return uploadedBytes.sum();
    }

    public long uploadFailures() {
        return uploadFailures.sum();
    }

    /** Segments of running recordings that were uploaded on their own. */
    public long uploadedTails() {
        return tails.sum();
    }

    public long uploadedTailBytes() {
        return tailBytes.sum();
    }

    public long deletedTails() {
        return deletedTails.sum();
    }

    /** Recordings of nodes that are gone, which this one has finished. */
    public long finishedRecordings() {
        return finished.sum();
    }

    public long fetchedFiles() {
        return fetchedFiles.sum();
    }

    public long fetchedBytes() {
        return fetchedBytes.sum();
    }

    public long fetchFailures() {
        return fetchFailures.sum();
    }

    public long evictedBytes() {
        return evictedBytes.sum();
    }

    /** Media files of assets that are in S3 as well; 0 where they are not limited. */
    public long cachedBytes() {
        return cachedBytes.get();
    }

    /** Bytes that are not in S3 yet. */
    public long backlogBytes() {
        return backlogBytes.get() + waitingFrameBytes.get();
    }

    /** Bytes of recordings and clips among these. */
    long recordingBytes() {
        return backlogBytes.get();
    }

    /** Evidence frames that are not in S3 yet. */
    public long waitingFrames() {
        return waitingFrames.get();
    }

    /** Those of them whose files cannot be read. */
    long unreadableFrames() {
        return unreadableFrames.get();
    }

    /**
     * How long the oldest bytes wait that are not in S3 yet; 0 where none wait.
     *
     * @param nowMs milliseconds since 1970
     */
    public long backlogAgeMs(long nowMs) {
        return Math.max(0, nowMs - Math.min(waitingSinceMs.get(), framesWaitingSinceMs.get()));
    }

    /** Whether the last uploads succeeded. */
    public boolean isReachable() {
        return recordingsTaken && framesTaken;
    }

    /** Finished assets that wait for their upload because files of theirs cannot be read. */
    public List<AssetId> unreadable() {
        return unreadable;
    }
}
