package touchline.api.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.AuditRun;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.StreamDefinition;
import touchline.media.SessionId;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.hub.Feed;
import touchline.media.hub.FrameTap;
import touchline.media.hub.IngestReport;
import touchline.media.hub.PublishBarrier;
import touchline.moderation.AlertType;
import touchline.moderation.FrameReport;
import touchline.moderation.ModerationPolicy;
import touchline.moderation.ModerationSink;
import touchline.moderation.ModerationTask;

/**
 * Moderation of one session, from its start to its end. Applies the stream's audit settings when
 * they change, stores the audit runs, and acts on rejected frames. Settings and ends come from any
 * thread and block. The session's reporting thread must not take the lock: {@link #close} waits for
 * that thread while it holds the lock.
 */
public final class SessionAudit implements ModerationSink, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionAudit.class);

    /** The code of the warning that a session is not moderated as requested. */
    static final String UNAVAILABLE = "moderation_unavailable";

    /** The code of the warning that a session's frames cannot be decoded. */
    static final String BLIND = "moderation_blind";

    private static final Duration LAST_REPORTS = Duration.ofSeconds(2);

    private final ModerationDependencies dependencies;
    private final StreamDefinition stream;
    private final AuditContext context;
    private final Consumer<DecodingRefusedException> onRefused;
    private final ModerationTask task;
    private final PendingReports pending = new PendingReports();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean closed;

    // Replaced under the lock; the reporting thread reads it.
    private volatile @Nullable RunningAudit running;

    private SessionAudit(
            StreamDefinition stream,
            AuditContext context,
            Supplier<Feed> program,
            Consumer<DecodingRefusedException> onRefused,
            ModerationDependencies dependencies) {
        this.onRefused = onRefused;
        this.dependencies = dependencies;
        this.stream = stream;
        this.context = context;
        this.task =
                dependencies.moderation().open(context.stream(), context.session(), program, this);
    }

    /**
     * Opens the moderation of a session; idle until {@link #follow}.
     *
     * @param session a session that has received its first media
     * @param startedAt time of its first media
     * @param stream the stream at that time
     * @param program called each time that reading starts
     * @param onRefused called when the server refuses to decode the session's video; must not block
     */
    public static SessionAudit open(
            SessionId session,
            Instant startedAt,
            StreamDefinition stream,
            Supplier<Feed> program,
            Consumer<DecodingRefusedException> onRefused,
            ModerationDependencies dependencies) {
        AuditContext context =
                new AuditContext(
                        stream.id(),
                        session,
                        stream.accountId(),
                        stream.settings().title(),
                        startedAt);
        return new SessionAudit(stream, context, program, onRefused, dependencies);
    }

    /** Decides about each part that the session's packager is to publish. */
    public PublishBarrier barrier() {
        return task.barrier();
    }

    /** Receives the frames of a compositor. */
    public FrameTap tap() {
        return task.tap();
    }

    /** Called when a compositor has started or ended. */
    public void composited(boolean runs) {
        task.composited(runs);
    }

    /** Applies the stream's current audit settings: starts, changes or ends the run. */
    public void follow() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Optional<AuditSettings> settings =
                    dependencies.streams().find(context.stream()).flatMap(StreamDefinition::audit);
            Optional<ModerationPolicy> policy = settings.flatMap(this::policy);
            if (policy.isPresent()) {
                apply(settings.orElseThrow(), policy.get());
            } else {
                end(AuditRun.Reason.SETTINGS_DELETED);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the moderation of this session, until settings are given again. */
    public void stop() {
        lock.lock();
        try {
            end(AuditRun.Reason.STOPPED);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the moderation at the session's end. Waits for a short time until its frames are
     * stored.
     */
    @Override
    public void close() {
        if (running != null) {
            pending.await(task, LAST_REPORTS);
        }
        lock.lock();
        try {
            closed = true;
            task.close();
            end(AuditRun.Reason.SESSION_ENDED);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void analysed(FrameReport report) {
        try {
            RunningAudit run = running;
            if (run != null) {
                store(run, report);
            }
        } finally {
            pending.reported();
        }
    }

    private void store(RunningAudit run, FrameReport report) {
        AuditSettings.OnReject action = run.settings().onReject();
        if (report.status() != FrameReport.Status.REJECT || action == AuditSettings.OnReject.NONE) {
            dependencies.recorder().store(context, run, report);
            return;
        }
        log.warn(
                "stream={} session={} a frame is rejected: {}",
                context.stream(),
                context.session(),
                action.wireName());
        // Before the frame is stored: viewers must not see the rejected media any longer.
        dependencies.onRejected().accept(context.stream(), action);
        dependencies.recorder().storeRejected(context, run, report);
    }

    @Override
    public void unserved(Set<AlertType> types) {
        RunningAudit run = running;
        if (run == null) {
            return;
        }
        run.unserved(types);
        if (!types.isEmpty()) {
            warn(types);
        }
    }

    @Override
    public void refused(DecodingRefusedException cause) {
        onRefused.accept(cause);
    }

    @Override
    public void blind(boolean blind, Instant at, Optional<DecodingRefusedException> refusal) {
        RunningAudit run = running;
        if (run == null) {
            return;
        }
        run.blind(blind);
        String reason =
                AuditRun.BLIND_REASON
                        + refusal.map(cause -> " (" + cause.getMessage() + ")").orElse("");
        log.warn(
                "stream={} session={} {}",
                context.stream(),
                context.session(),
                blind ? reason : "frames are decoded again");
        if (blind) {
            IngestReport.Warning warning =
                    new IngestReport.Warning(BLIND, reason, dependencies.clock().instant());
            dependencies
                    .recorder()
                    .storeBlind(
                            context,
                            run,
                            at,
                            () ->
                                    dependencies
                                            .events()
                                            .warning(stream, context.session(), warning));
        }
    }

    private void warn(Set<AlertType> types) {
        String names =
                types.stream().sorted().map(AlertType::wireName).collect(Collectors.joining(", "));
        IngestReport.Warning warning =
                new IngestReport.Warning(
                        UNAVAILABLE,
                        "no model serves the alert type " + names + " (see docs/models.md)",
                        dependencies.clock().instant());
        log.warn("stream={} session={} {}", context.stream(), context.session(), warning.message());
        dependencies
                .database()
                .transact(() -> dependencies.events().warning(stream, context.session(), warning));
    }

    @GuardedBy("lock")
    private void apply(AuditSettings settings, ModerationPolicy policy) {
        RunningAudit run = running;
        if (run == null) {
            run = new RunningAudit(context, dependencies.runs(), settings, dependencies.clock());
            run.begin();
            running = run;
        } else {
            run.settings(settings);
        }
        task.apply(policy);
    }

    @GuardedBy("lock")
    private void end(AuditRun.Reason reason) {
        RunningAudit run = running;
        if (run != null) {
            task.stop();
            pending.drop(task);
            running = null;
            run.end(dependencies.clock().instant(), reason);
        }
    }

    /** Empty if the settings name no known alert type. */
    private Optional<ModerationPolicy> policy(AuditSettings settings) {
        Map<AlertType, Double> thresholds = new EnumMap<>(AlertType.class);
        settings.models()
                .forEach(
                        (name, threshold) ->
                                AlertType.of(name)
                                        .ifPresent(type -> thresholds.put(type, threshold)));
        if (thresholds.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new ModerationPolicy(
                        settings.frameIntervalSeconds(),
                        settings.samples(),
                        thresholds,
                        settings.gate(),
                        dependencies.moderation().rejectCutoff()));
    }
}
