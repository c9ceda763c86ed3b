package touchline.api.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.access.FrameLinks;
import touchline.api.db.Database;
import touchline.api.db.ModerationRepository;
import touchline.api.db.NewEvent;
import touchline.api.db.SampledFrames;
import touchline.api.db.StreamWrites;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.Event;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationFinding;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.SampledFrame;
import touchline.media.store.MediaStoreException;
import touchline.moderation.AlertType;
import touchline.moderation.FrameReport;

/**
 * Stores the results of moderation. A frame with an alert is written to the disk as a JPEG; then
 * one transaction stores a record and an {@code audit_check}. The scores of all frames are stored
 * together, once a second. Called by the sessions' reporting threads, which may block here: the
 * moderation module limits the reports that wait, and counts those it drops.
 */
public final class ModerationRecorder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ModerationRecorder.class);

    private static final int JPEG_QUALITY = 85;
    private static final int TRIES = 3;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** About an hour. */
    private static final int REJECTED_TRIES = 3_600;

    private final Database database;
    private final ModerationRepository records;
    private final ScoreBuffer scores;
    private final EvidenceFolder folder;
    private final FrameLinks links;
    private final InstantSource clock;
    private final Predicate<String> isDemo;
    private final Runnable onImage;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final StreamWrites later = new StreamWrites();

    private final LongAdder recorded = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder withoutFrame = new LongAdder();

    /** An image on the disk. */
    private record Stored(FrameName name, FrameContent content) {}

    /** The record of a frame with an alert; without the image if the disk failed. */
    private record Alert(
            List<ModerationFinding> findings,
            Map<AlertType, Double> thresholds,
            Instant capturedAt,
            Optional<Stored> image) {}

    /** What a record is made of. */
    private record Sample(AuditContext context, RunningAudit run, Alert alert) {}

    /**
     * @param isDemo whether a model is a demo, by the name of its folder
     * @param onImage called when a record with an image is stored; must not block
     */
    public ModerationRecorder(
            Database database,
            EvidenceFolder folder,
            FrameLinks links,
            Predicate<String> isDemo,
            Runnable onImage,
            InstantSource clock) {
        this.database = database;
        this.records = new ModerationRepository(database);
        this.scores = new ScoreBuffer(new SampledFrames(database));
        this.folder = folder;
        this.links = links;
        this.isDemo = isDemo;
        this.onImage = onImage;
        this.clock = clock;
    }

    /** Stores scores each second from now on. */
    public void start() {
        scores.start();
    }

    /**
     * Stores the scores of all frames so far, before they are read.
     *
     * @throws touchline.api.db.DatabaseException if the database fails; they are kept
     */
    public void storeScores() {
        scores.flush();
    }

    /** Frames whose scores are to be stored. */
    public int waitingScores() {
        return scores.waiting();
    }

    /** Records stored since the start. */
    public long recorded() {
        return recorded.sum();
    }

    /** Records and scores that were not stored because the database failed. */
    public long lost() {
        return lost.sum() + scores.lost();
    }

    /** Records without an image because the disk failed. */
    public long withoutFrame() {
        return withoutFrame.sum();
    }

    /**
     * Ends all retries. Waits for a short time for rejected frames that are not stored yet, and
     * stores the scores that wait.
     */
    @Override
    public void close() {
        stopping.countDown();
        later.close();
        scores.close();
    }

    /**
     * Stores one frame of a run, on the session's reporting thread. If the database fails, it tries
     * a few times, then the record is lost.
     */
    void store(AuditContext context, RunningAudit run, FrameReport report) {
        Optional<Sample> alert = sample(context, run, report);
        if (alert.isEmpty()) {
            return;
        }
        Sample sample = alert.get();
        for (int left = TRIES; left > 0; left--) {
            if (isStored(sample)) {
                return;
            }
            if (left > 1 && isStopping()) {
                break;
            }
        }
        lose(sample);
    }

    /**
     * Stores a rejected frame for which the stream was taken off the air. Its image is stored at
     * once. Record and event follow when the database works again, even after the session's end.
     */
    void storeRejected(AuditContext context, RunningAudit run, FrameReport report) {
        Sample sample = sample(context, run, report).orElseThrow();
        if (!isStored(sample)) {
            later.add(
                    context.stream(),
                    new StreamWrites.Step(
                            "rejected frame",
                            REJECTED_TRIES,
                            () -> store(sample),
                            () -> lose(sample)));
        }
    }

    /**
     * Stores a record without findings and image: the frames of an interval could not be decoded.
     *
     * @param warning appends the event of the record, in the same transaction
     */
    void storeBlind(
            AuditContext context, RunningAudit run, Instant capturedAt, Supplier<Event> warning) {
        long taskId = run.taskId();
        database.transact(
                () ->
                        create(
                                context,
                                taskId,
                                warning.get(),
                                new Alert(List.of(), Map.of(), capturedAt, Optional.empty())));
        recorded.increment();
    }

    /** Takes the scores of a frame; empty if it raised no alert. */
    private Optional<Sample> sample(AuditContext context, RunningAudit run, FrameReport report) {
        SampledFrame frame = Findings.scores(report);
        scores.add(run, frame);
        DetectStatus status = frame.status();
        if (status != DetectStatus.REVIEW && status != DetectStatus.REJECT) {
            return Optional.empty();
        }
        return Optional.of(
                new Sample(
                        context,
                        run,
                        new Alert(
                                Findings.of(report),
                                report.policy().thresholds(),
                                report.capturedAt(),
                                image(context, report))));
    }

    private boolean isStored(Sample sample) {
        try {
            store(sample);
            return true;
        } catch (RuntimeException e) {
            log.warn(
                    "session={} a record is not stored: {}",
                    sample.context().session(),
                    e.getMessage());
            return false;
        }
    }

    private void store(Sample sample) {
        long taskId = sample.run().taskId();
        database.transact(() -> record(sample.context(), taskId, sample.alert()));
        recorded.increment();
        if (sample.alert().image().isPresent()) {
            onImage.run();
        }
    }

    private void lose(Sample sample) {
        lost.increment();
        sample.alert().image().ifPresent(image -> deleteImage(image.name()));
    }

    /** Waits between two tries; true if the server stops meanwhile. */
    private boolean isStopping() {
        try {
            return stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private Optional<Stored> image(AuditContext context, FrameReport report) {
        try {
            byte[] jpeg = report.frame().toJpeg(JPEG_QUALITY);
            FrameName name = FrameName.create();
            folder.put(name, jpeg);
            return Optional.of(new Stored(name, FrameContent.of(jpeg)));
        } catch (RuntimeException e) {
            withoutFrame.increment();
            log.warn(
                    "session={} an evidence frame is not stored: {}",
                    context.session(),
                    e.toString());
            return Optional.empty();
        }
    }

    /** Uses the caller's transaction: event, its number and record are stored together. */
    private void record(AuditContext context, long taskId, Alert alert) {
        String url = alert.image().map(image -> links.to(image.name())).orElse("");
        Event event =
                database.outbox()
                        .append(
                                NewEvent.auditCheck(
                                        context.stream(),
                                        AuditCheck.data(
                                                context,
                                                url,
                                                alert.findings(),
                                                alert.thresholds(),
                                                isDemo)));
        create(context, taskId, event, alert);
    }

    private void create(AuditContext context, long taskId, Event event, Alert alert) {
        records.create(
                new ModerationRecord(
                        /* id= */ 0,
                        taskId,
                        event.id(),
                        context.accountId(),
                        context.stream(),
                        context.session(),
                        alert.findings(),
                        alert.image().map(Stored::name),
                        alert.capturedAt(),
                        clock.instant(),
                        Optional.empty()),
                alert.image().map(Stored::content).orElse(FrameContent.NONE));
    }

    private void deleteImage(FrameName frame) {
        try {
            folder.delete(frame);
        } catch (MediaStoreException e) {
            log.warn("cannot delete an evidence frame without a record: {}", e.getMessage());
        }
    }
}
