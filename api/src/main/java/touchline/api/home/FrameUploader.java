package touchline.api.home;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.audit.EvidenceFolder;
import touchline.api.db.EvidenceUploads;
import touchline.api.db.EvidenceUploads.Backlog;
import touchline.api.db.EvidenceUploads.Pending;
import touchline.api.domain.FrameName;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.Parallel;
import touchline.packager.hls.MediaBody;

/**
 * Copies evidence frames to S3, a moment after their records. Like {@link Uploader} it keeps no
 * queue: rows say which are not there. It has a thread of its own, so that a frame never waits for
 * a recording, and no record ever for S3.
 */
final class FrameUploader {
    private static final Logger log = LoggerFactory.getLogger(FrameUploader.class);
    private static final int AT_ONCE = 200;

    /** A frame whose file cannot be read is tried again after this time. */
    private static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(1);

    private final EvidenceFolder folder;
    private final EvidenceUploads uploads;
    private final ObjectBucket bucket;
    private final ObjectKeys keys;
    private final HomeCounters counters;
    private final InstantSource clock;
    private final int parallel;
    private final long startedMs;
    private final RetryLoop loop;

    // Used by the loop's thread only.
    /** Frames up to this record were uploaded, or cannot be read. */
    private long seenRecord;

    private long unreadable;

    /** From then on all that waits is looked at again. */
    private long allAtMs;

    /**
     * What it works with; borrowed.
     *
     * @param parallel files at once
     * @param pause between two looks at what there is to do
     */
    record Dependencies(
            EvidenceFolder folder,
            EvidenceUploads uploads,
            ObjectBucket bucket,
            ObjectKeys keys,
            HomeCounters counters,
            InstantSource clock,
            int parallel,
            Duration pause) {}

    FrameUploader(Dependencies dependencies) {
        this.folder = dependencies.folder();
        this.uploads = dependencies.uploads();
        this.bucket = dependencies.bucket();
        this.keys = dependencies.keys();
        this.counters = dependencies.counters();
        this.clock = dependencies.clock();
        this.parallel = dependencies.parallel();
        this.startedMs = clock.millis();
        this.loop =
                new RetryLoop(
                        "s3-evidence",
                        "evidence frames",
                        dependencies.pause(),
                        this::turn,
                        this::reached);
    }

    private void reached(boolean taken) {
        if (!taken) {
            counters.uploadFailed();
        }
        counters.framesTaken(taken);
    }

    void start() {
        loop.start();
    }

    /** There is a new frame. Any thread. */
    void nudge() {
        loop.nudge();
    }

    void close() {
        loop.close();
    }

    /** Uploads what waits. */
    boolean turn() throws IOException, InterruptedException {
        count();
        if (counters.waitingFrames() == 0) {
            return false;
        }
        long now = clock.millis();
        if (now >= allAtMs) {
            // Also what was committed late, behind a record with a higher number.
            allAtMs = now + UNREADABLE_PAUSE.toMillis();
            seenRecord = 0;
            unreadable = 0;
        }
        for (List<Pending> some = uploads.pending(seenRecord, AT_ONCE);
                !some.isEmpty() && !loop.isStopping();
                some = uploads.pending(seenRecord, AT_ONCE)) {
            upload(some);
            seenRecord = some.getLast().recordId();
        }
        count();
        return false;
    }

    private void count() {
        Backlog backlog = uploads.backlog();
        // What waited while the server was stopped counts from its start.
        OptionalLong since =
                backlog.oldest()
                        .map(Instant::toEpochMilli)
                        .map(ms -> OptionalLong.of(Math.max(ms, startedMs)))
                        .orElseGet(OptionalLong::empty);
        counters.frames(
                backlog.frames(), Math.min(unreadable, backlog.frames()), backlog.bytes(), since);
    }

    private void upload(List<Pending> some) throws IOException, InterruptedException {
        Queue<Pending> stored = new ConcurrentLinkedQueue<>();
        List<Parallel.Step> steps = new ArrayList<>();
        for (Pending each : some) {
            Optional<Path> file = readable(each);
            if (file.isPresent()) {
                steps.add(
                        () -> {
                            bucket.put(keys.of(each.frame()), file.get(), "image/jpeg");
                            counters.uploaded(each.content().sizeBytes());
                            stored.add(each);
                        });
            } else {
                unreadable++;
            }
        }
        try {
            Parallel.run(parallel, steps);
        } finally {
            uploads.finish(List.copyOf(stored), clock.instant());
        }
    }

    /** A file that is damaged is not uploaded: its object would be refused by everyone. */
    private Optional<Path> readable(Pending each) {
        FrameName frame = each.frame();
        try {
            Optional<Path> file = folder.find(frame).map(MediaBody.FileRange::file);
            if (file.isPresent() && each.content().isOf(file.get())) {
                return file;
            }
            log.debug("evidence frame {} is not uploaded: missing or damaged", frame);
        } catch (IOException | RuntimeException e) {
            log.warn("evidence frame {} is not uploaded: {}", frame, e.toString());
        }
        return Optional.empty();
    }
}
