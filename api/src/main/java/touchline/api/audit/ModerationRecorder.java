package touchline.api.audit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.access.FrameLinks;
import touchline.api.db.Database;
import touchline.api.db.ModerationRepository;
import touchline.api.db.NewEvent;
import touchline.api.db.SampledFrames;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.Event;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationFinding;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.SampledFrame;
import touchline.media.store.MediaStoreException;
import touchline.moderation.FrameReport;

/**
 * Stores what moderation has seen. A frame with an alert becomes a frame on the disk, and then, in
 * one transaction, a record, an {@code audit_check} and its scores; any other frame its scores
 * only. Called by the sessions' reporting threads, which may wait here: the room above them bounds
 * what waits, and counts what it gives up. A database that fails is asked again a few times.
 */
public final class ModerationRecorder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ModerationRecorder.class);

    private static final int JPEG_QUALITY = 85;
    private static final int TRIES = 3;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Database database;
    private final ModerationRepository records;
    private final SampledFrames frames;
    private final EvidenceFolder folder;
    private final FrameLinks links;
    private final InstantSource clock;
    private final Predicate<String> isDemo;
    private final CountDownLatch stopping = new CountDownLatch(1);

    private final LongAdder recorded = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder withoutFrame = new LongAdder();

    /** A frame on the disk, and its size. */
    private record Stored(FrameName name, long sizeBytes) {}

    /**
     * @param isDemo whether a model only demonstrates, by the name of its folder
     */
    public ModerationRecorder(
            Database database,
            EvidenceFolder folder,
            FrameLinks links,
            Predicate<String> isDemo,
            InstantSource clock) {
        this.database = database;
        this.records = new ModerationRepository(database);
        this.frames = new SampledFrames(database);
        this.folder = folder;
        this.links = links;
        this.isDemo = isDemo;
        this.clock = clock;
    }

    /** Records stored since the start. */
    public long recorded() {
        return recorded.sum();
    }

    /** Frames that could not be stored, the database failing. */
    public long lost() {
        return lost.sum();
    }

    /** Records whose frame could not be stored, the disk failing. */
    public long withoutFrame() {
        return withoutFrame.sum();
    }

    /** Nothing is tried again from now on. */
    @Override
    public void close() {
        stopping.countDown();
    }

    /** Stores one frame of a run; on the session's reporting thread. */
    void store(AuditContext context, RunningAudit run, FrameReport report) {
        SampledFrame scores = Findings.scores(report);
        DetectStatus status = scores.status();
        boolean alert = status == DetectStatus.REVIEW || status == DetectStatus.REJECT;
        Optional<Stored> videoFrame = alert ? videoFrame(context, report) : Optional.empty();
        for (int left = TRIES; left > 0; left--) {
            try {
                long taskId = run.taskId();
                int number = run.nextFrame();
                database.transact(
                        () -> {
                            frames.add(taskId, context.session(), number, scores);
                            if (alert) {
                                record(context, taskId, report, videoFrame);
                            }
                        });
                run.stored();
                if (alert) {
                    recorded.increment();
                }
                return;
            } catch (RuntimeException e) {
                log.warn(
                        "session={} a sampled frame is not stored: {}",
                        context.session(),
                        e.getMessage());
                if (left > 1 && isStopping()) {
                    break;
                }
            }
        }
        lost.increment();
        videoFrame.ifPresent(stored -> forget(stored.name()));
    }

    /** Waits between two tries; true where there must not be another. */
    private boolean isStopping() {
        try {
            return stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private Optional<Stored> videoFrame(AuditContext context, FrameReport report) {
        try {
            byte[] jpeg = report.frame().toJpeg(JPEG_QUALITY);
            FrameName name = FrameName.create();
            folder.put(name, jpeg);
            return Optional.of(new Stored(name, jpeg.length));
        } catch (RuntimeException e) {
            withoutFrame.increment();
            log.warn(
                    "session={} an evidence frame is not stored: {}",
                    context.session(),
                    e.toString());
            return Optional.empty();
        }
    }

    /** In the transaction around it: event, record and number of the event are one. */
    private void record(
            AuditContext context, long taskId, FrameReport report, Optional<Stored> videoFrame) {
        List<ModerationFinding> findings = Findings.of(report);
        String url = videoFrame.map(stored -> links.to(stored.name())).orElse("");
        Event event =
                database.outbox()
                        .append(
                                NewEvent.auditCheck(
                                        context.stream(),
                                        AuditCheck.data(
                                                context,
                                                url,
                                                findings,
                                                report.policy().thresholds(),
                                                isDemo)));
        records.create(
                new ModerationRecord(
                        /* id= */ 0,
                        taskId,
                        event.id(),
                        context.accountId(),
                        context.stream(),
                        context.session(),
                        findings,
                        videoFrame.map(Stored::name),
                        report.capturedAt(),
                        clock.instant(),
                        Optional.empty()),
                videoFrame.map(Stored::sizeBytes).orElse(0L));
    }

    private void forget(FrameName frame) {
        try {
            folder.delete(frame);
        } catch (MediaStoreException e) {
            log.warn("an evidence frame without a record stays: {}", e.getMessage());
        }
    }
}
