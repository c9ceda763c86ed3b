package touchline.api.home;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.audit.FrameHome;
import touchline.api.db.EvidenceUploads;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.StorageException;

/**
 * S3 as the home of evidence frames: uploads them, brings them back, and deletes their objects.
 * Belongs to {@link RecordingHome}. Any thread but for start, close and upkeep, which are the
 * home's.
 */
final class EvidenceHome implements FrameHome {
    private static final Logger log = LoggerFactory.getLogger(EvidenceHome.class);
    private static final Duration UPLOAD_PAUSE = Duration.ofSeconds(2);
    private static final int DELETED_AT_ONCE = 1_000;

    private final EvidenceUploads uploads;
    private final ObjectBucket bucket;
    private final ObjectKeys keys;
    private final Duration deleteAfter;
    private final InstantSource clock;
    private final FrameUploader uploader;
    private final FrameFetch fetch;

    EvidenceHome(RecordingHome.Dependencies parts, ObjectKeys keys, HomeCounters counters) {
        RecordingHome.EvidenceParts stored = parts.evidence();
        this.uploads = stored.uploads();
        this.bucket = parts.bucket();
        this.keys = keys;
        this.deleteAfter = parts.deleteAfter();
        this.clock = parts.clock();
        this.uploader =
                new FrameUploader(
                        new FrameUploader.Dependencies(
                                stored.folder(),
                                uploads,
                                bucket,
                                keys,
                                counters,
                                clock,
                                parts.parallel(),
                                UPLOAD_PAUSE));
        this.fetch =
                new FrameFetch(
                        new FrameFetch.Dependencies(
                                stored.copies(),
                                bucket,
                                keys,
                                counters,
                                () -> parts.leastFree().get().bytes(),
                                clock,
                                parts.parallel()));
    }

    @Override
    public void recorded() {
        uploader.nudge();
    }

    @Override
    public CompletionStage<Path> bring(FrameName frame, FrameContent content) {
        return fetch.bring(frame, content);
    }

    void startUploads() {
        uploader.start();
    }

    /** Removes copies that are not used any more, and objects of deleted frames that are due. */
    void upkeep() throws IOException {
        fetch.trim();
        removeDue();
    }

    /**
     * @throws StorageException the rest is deleted by a later call
     */
    void removeDue() throws StorageException {
        Instant due = clock.instant().minus(deleteAfter);
        Set<FrameName> frames =
                uploads.deletedBefore(due, due.minus(ObjectRemover.OVERDUE), DELETED_AT_ONCE);
        if (!frames.isEmpty()) {
            bucket.delete(frames.stream().map(keys::of).toList());
            uploads.forget(frames);
            log.info("the objects of {} deleted evidence frames are deleted", frames.size());
        }
    }

    void closeUploads() {
        uploader.close();
    }
}
