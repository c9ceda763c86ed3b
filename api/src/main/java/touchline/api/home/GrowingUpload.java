package touchline.api.home;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.AssetUploads;
import touchline.api.db.DatabaseException;
import touchline.api.domain.AssetId;
import touchline.api.storage.StorageException;
import touchline.packager.record.IndexExcerpt;
import touchline.packager.record.IndexExcerpt.MediaFile;
import touchline.packager.record.Recording;
import touchline.packager.record.SegmentTail;

/**
 * Brings one recording into S3 while it runs. Folder and listing say what is missing; what this
 * holds in memory is a place in the index, and the names of what was uploaded since.
 *
 * <p>One virtual thread writes init segments, and each segment of the file that grows, in their
 * order: so what a lost disk leaves in S3 has no hole. Another one writes files as they are full,
 * behind each the lines of the index up to its end, and deletes the tails that it replaces. The
 * segment that fills a file has no tail, since the file is written at once; it gets one if that is
 * still under way when the next segment is complete. While more than one full file waits, tails do
 * too: they would stand behind a hole.
 */
final class GrowingUpload {
    private static final Logger log = LoggerFactory.getLogger(GrowingUpload.class);

    private final AssetId asset;
    private final Dependencies parts;
    private final DrainingLoop segments;
    private final DrainingLoop files;
    private final ReentrantLock lock = new ReentrantLock();

    /** Files and init segments that are in S3. */
    @GuardedBy("lock")
    private final Set<String> stored = new HashSet<>();

    private final GrowingTails tails = new GrowingTails();

    /** Place in the index: all files before it are in S3. */
    @GuardedBy("lock")
    private long indexBytes;

    @GuardedBy("lock")
    private boolean listed;

    // Used by the thread of files only.
    /** What the index in S3 must have before tails are deleted. */
    private long indexDueBytes;

    /** What it has, as far as this process has written it. */
    private long indexStoredBytes;

    /**
     * What it works with; borrowed.
     *
     * @param places writes at once, of all recordings
     * @param withTails false: whole files only
     * @param pause between two looks at the index, if no segment is reported
     */
    record Dependencies(
            AssetUploads uploads,
            ObjectWriter writer,
            Semaphore places,
            boolean withTails,
            Duration pause,
            InstantSource clock) {}

    GrowingUpload(AssetId asset, Dependencies parts) {
        this.asset = asset;
        this.parts = parts;
        this.segments =
                new DrainingLoop(
                        "s3-segments-" + asset, parts.pause(), this::segments, this::failed);
        this.files =
                new DrainingLoop("s3-files-" + asset, parts.pause(), this::files, this::failed);
    }

    void start() {
        segments.start();
        files.start();
    }

    /** A segment is complete. Does not block. */
    void wake() {
        segments.wake();
        files.wake();
    }

    /** Ends after what is being written. Does not block. */
    void stop() {
        segments.stop();
        files.stop();
    }

    boolean hasEnded() {
        return segments.hasEnded() && files.hasEnded();
    }

    /** Why the store has refused the last request; empty if it has not. */
    Optional<String> failure() {
        return segments.failure().or(files::failure);
    }

    /** Ends when everything is written that is complete. Does not block. */
    void drain() {
        segments.drain();
        files.drain();
    }

    /**
     * Waits for the end, and ends requests in progress when the time is over.
     *
     * @param atMost to wait
     */
    void close(Duration atMost) {
        segments.close(atMost);
        files.close(atMost);
    }

    /** Whether a full file or an init segment is in S3. */
    boolean hasStored(String name) {
        lock.lock();
        try {
            return stored.contains(name);
        } finally {
            lock.unlock();
        }
    }

    /** Segments of the file that grows. */
    Waiting waiting() {
        return tails.waiting();
    }

    private void failed(Exception failure) {
        if (failure instanceof StorageException) {
            parts.writer().counters().uploadFailed();
        }
        log.debug("asset={} is not uploaded, will be tried again: {}", asset, failure.toString());
    }

    // ---- segments

    private boolean segments() throws IOException, InterruptedException {
        if (!isListed()) {
            return false;
        }
        IndexExcerpt excerpt = excerpt();
        for (Recording.Init init : excerpt.inits()) {
            if (!hasStored(init.fileName())) {
                write(() -> parts.writer().put(asset, init.fileName()));
                add(init.fileName());
            }
        }
        if (parts.withTails() && excerpt.toEnd()) {
            List<MediaFile> left =
                    excerpt.files().stream().filter(file -> !hasStored(file.name())).toList();
            tails.count(left, parts.clock().millis());
            if (left.size() <= 2) {
                tails(left);
            }
            tails.count(left, parts.clock().millis());
        }
        return true;
    }

    private void tails(List<MediaFile> left) throws IOException, InterruptedException {
        for (MediaFile file : left) {
            List<SegmentTail> missing = tails.missing(file);
            boolean last = file.equals(left.getLast());
            if (file.full() && (last || missing.size() > 1)) {
                // It is being written as a whole.
                return;
            }
            for (SegmentTail tail : missing) {
                if (hasStored(file.name())) {
                    break;
                }
                write(() -> parts.writer().putTail(asset, tail));
                tails.add(file.name(), tail.name());
            }
        }
    }

    // ---- files

    private boolean files() throws IOException, InterruptedException {
        if (!isListed()) {
            return false;
        }
        IndexExcerpt excerpt = excerpt();
        for (MediaFile file : excerpt.files()) {
            if (!file.full()) {
                break;
            }
            if (!hasStored(file.name())) {
                if (!isOurs()) {
                    return false;
                }
                putFull(file);
            }
            if (tails.has(file.name())) {
                indexDueBytes = file.indexBytes();
            }
            if (indexDueBytes > indexStoredBytes) {
                long due = indexDueBytes;
                write(() -> parts.writer().putIndex(asset, due));
                indexStoredBytes = due;
            }
            deleteTails(file.name());
            passed(file.indexBytes());
        }
        if (!excerpt.toEnd()) {
            files.wake();
        }
        return true;
    }

    private void putFull(MediaFile file) throws IOException, InterruptedException {
        String init = Recording.Init.fileName(file.segments().getFirst().init());
        for (String name : List.of(init, file.name())) {
            if (!hasStored(name)) {
                write(() -> parts.writer().put(asset, name));
                add(name);
            }
        }
        indexDueBytes = file.indexBytes();
    }

    /** A tail that was being written meanwhile goes with the end of the recording. */
    private void deleteTails(String file) throws IOException, InterruptedException {
        Set<String> old = tails.of(file);
        if (!old.isEmpty()) {
            write(() -> parts.writer().deleteTails(asset, old));
        }
        tails.remove(file, old);
    }

    // ---- state

    /** False where the row was deleted, or is another node's by now: nothing is written then. */
    private boolean isListed() throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (listed) {
                return true;
            }
            if (!parts.uploads().begin(asset, parts.clock().instant())) {
                return false;
            }
            StoredObjects there =
                    StoredObjects.list(parts.writer().bucket(), parts.writer().keys(), asset);
            there.files()
                    .forEach(
                            (name, bytes) -> {
                                if (FolderContent.hasSize(
                                        parts.writer().folders().of(asset).resolve(name), bytes)) {
                                    stored.add(name);
                                }
                            });
            there.tails()
                    .values()
                    .forEach(tail -> tails.add(tail.segment().fileName(), tail.name()));
            listed = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** While the database is away no other node can have taken the row. */
    private boolean isOurs() {
        try {
            return parts.uploads().begin(asset, parts.clock().instant());
        } catch (DatabaseException e) {
            log.debug("asset={} its row is not read: {}", asset, e.getMessage());
            return true;
        }
    }

    private IndexExcerpt excerpt() throws IOException {
        long from;
        lock.lock();
        try {
            from = indexBytes;
        } finally {
            lock.unlock();
        }
        return IndexExcerpt.read(parts.writer().folders().of(asset), from);
    }

    private void passed(long endBytes) {
        lock.lock();
        try {
            indexBytes = endBytes;
        } finally {
            lock.unlock();
        }
    }

    private void add(String name) {
        lock.lock();
        try {
            stored.add(name);
        } finally {
            lock.unlock();
        }
    }

    /** A request to the store. */
    @FunctionalInterface
    private interface Write {
        void run() throws IOException;
    }

    private void write(Write request) throws IOException, InterruptedException {
        parts.places().acquire();
        try {
            request.run();
        } finally {
            parts.places().release();
        }
    }
}
