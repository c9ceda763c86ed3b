package touchline.api.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.SampledFrames;
import touchline.api.db.SampledRun;
import touchline.api.domain.AuditRun;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.SampledFrame;
import touchline.moderation.AlertType;

/**
 * One audit run of a running session: its row, its current settings, and where its frames are
 * stored. Any thread.
 */
final class RunningAudit {
    private static final Logger log = LoggerFactory.getLogger(RunningAudit.class);

    private final AuditContext context;
    private final AuditRunRepository runs;
    private final Instant startedAt;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private OptionalLong taskId = OptionalLong.empty();

    // Replaced as a whole. The reporting thread reads it.
    private volatile AuditSettings settings;

    // Used while scores are written, by one thread at a time.
    private final SampledRun stored = new SampledRun();

    RunningAudit(
            AuditContext context,
            AuditRunRepository runs,
            AuditSettings settings,
            InstantSource clock) {
        this.context = context;
        this.runs = runs;
        this.settings = settings;
        this.startedAt = clock.instant();
    }

    AuditSettings settings() {
        return settings;
    }

    void settings(AuditSettings changed) {
        settings = changed;
    }

    /** The run's number. The first call stores its row. */
    long taskId() {
        lock.lock();
        try {
            if (taskId.isEmpty()) {
                AuditRun run = runs.start(context.stream(), context.session(), startedAt);
                taskId = OptionalLong.of(run.taskId());
            }
            return taskId.getAsLong();
        } finally {
            lock.unlock();
        }
    }

    /** Stores the row. If the database fails, the first stored frame stores it later. */
    void begin() {
        try {
            long task = taskId();
            log.info("session={} task={} moderation begins", context.session(), task);
        } catch (RuntimeException e) {
            log.warn("session={} its audit run is not stored: {}", context.session(), e.toString());
        }
    }

    /** Sets the requested types without a model. */
    void unserved(Set<AlertType> types) {
        runs.unserved(taskId(), types);
    }

    /** Sets whether the session's frames cannot be decoded. */
    void blind(boolean blind) {
        runs.blind(taskId(), blind);
    }

    /** Stores the end. If the database fails, the next start of the server ends the row. */
    void end(Instant at, AuditRun.Reason reason) {
        try {
            runs.end(taskId(), at, reason);
            log.info("session={} moderation ends: {}", context.session(), reason.wireName());
        } catch (RuntimeException e) {
            log.warn(
                    "session={} the end of its audit run is not stored: {}",
                    context.session(),
                    e.toString());
        }
    }

    /** What appends these frames to those of the run. One thread at a time. */
    List<SampledFrames.Appended> rows(List<SampledFrame> frames) {
        return stored.rows(taskId(), context.session(), frames);
    }
}
