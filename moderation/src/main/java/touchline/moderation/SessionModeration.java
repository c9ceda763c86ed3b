package touchline.moderation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.FrameView;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.Feed;
import touchline.media.hub.FrameTap;
import touchline.media.hub.PublishBarrier;

/**
 * The task of one session. Starts a sampler when a policy is applied, ends it with {@link #stop},
 * and reports the requested types that no model serves.
 */
final class SessionModeration implements ModerationTask {
    private static final Logger log = LoggerFactory.getLogger(SessionModeration.class);

    private final Supplier<Feed> program;
    private final Dependencies dependencies;
    private final FrameTap tap = new Tap();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable SessionSampler sampler;

    @GuardedBy("lock")
    private @Nullable ReportQueue reports;

    @GuardedBy("lock")
    private Set<AlertType> reportedUnserved = Set.of();

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private boolean composited;

    record Identity(StreamId stream, SessionId session) {
        /** For logs. */
        String text() {
            return "stream=%s session=%s".formatted(stream, session);
        }
    }

    /** What the classes of one session share. */
    record Dependencies(
            Identity identity,
            ModerationService service,
            ModerationSink sink,
            SampleCounts counts,
            SampleGate gate) {
        /** The source of the session's unexpected exceptions in one step, as {@code sampling}. */
        InternalErrors.Source errors(String step) {
            return service.errors().source(identity.text() + " " + step, counts);
        }
    }

    SessionModeration(Supplier<Feed> program, Dependencies dependencies) {
        this.program = program;
        this.dependencies = dependencies;
    }

    @Override
    public void apply(ModerationPolicy policy) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (policy.gate()) {
                dependencies.gate().shut(policy.frameIntervalSeconds());
            } else {
                dependencies.gate().open();
            }
            if (sampler == null) {
                if (reports == null) {
                    reports =
                            new ReportQueue(
                                    dependencies.identity().session(),
                                    dependencies.errors("reporting"));
                }
                SessionSampler started = new SessionSampler(dependencies, policy, reports);
                sampler = started;
                started.read(program.get(), composited);
                log.info("{} moderation starts: {}", dependencies.identity().text(), policy);
            } else {
                sampler.policy(policy);
                log.info("{} moderation changes: {}", dependencies.identity().text(), policy);
            }
            reportUnserved();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        lock.lock();
        try {
            SessionSampler stopped = sampler;
            if (stopped == null) {
                return;
            }
            sampler = null;
            reportedUnserved = Set.of();
            stopped.end();
            dependencies.gate().open();
            log.info("{} moderation stops: {}", dependencies.identity().text(), counters());
        } finally {
            lock.unlock();
        }
        dependencies.service().scheduler().discard(dependencies.identity().session());
    }

    @Override
    public boolean isRunning() {
        return current() != null;
    }

    @Override
    public PublishBarrier barrier() {
        return dependencies.gate();
    }

    @Override
    public FrameTap tap() {
        return tap;
    }

    @Override
    public void composited(boolean runs) {
        lock.lock();
        try {
            composited = runs;
            if (sampler != null) {
                sampler.read(program.get(), runs);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ModerationCounters counters() {
        return dependencies.counts().snapshot();
    }

    @Override
    public void close() {
        // First: media without a verdict must stay behind the gate.
        dependencies.gate().close();
        stop();
        lock.lock();
        try {
            closed = true;
            if (reports != null) {
                reports.close();
            }
        } finally {
            lock.unlock();
        }
        dependencies.service().closed(this);
    }

    /** The set of working models has changed. */
    void modelsChanged() {
        lock.lock();
        try {
            reportUnserved();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void reportUnserved() {
        SessionSampler current = sampler;
        if (current == null || reports == null) {
            return;
        }
        Set<AlertType> unserved = EnumSet.noneOf(AlertType.class);
        for (AlertType type : current.policy().types()) {
            if (!dependencies.service().serves(type)) {
                unserved.add(type);
            }
        }
        if (!unserved.equals(reportedUnserved)) {
            Set<AlertType> reported = Set.copyOf(unserved);
            reportedUnserved = reported;
            reports.add(() -> dependencies.sink().unserved(reported));
        }
    }

    private @Nullable SessionSampler current() {
        lock.lock();
        try {
            return sampler;
        } finally {
            lock.unlock();
        }
    }

    /** Receives the compositor's frames on the compositor's thread. */
    private final class Tap implements FrameTap {
        @Override
        public boolean isDue(long ptsUs) {
            SessionSampler current = current();
            return current != null && current.isDue(ptsUs);
        }

        @Override
        public void offer(FrameView view) {
            SessionSampler current = current();
            if (current != null) {
                current.offer(view);
            }
        }
    }
}
