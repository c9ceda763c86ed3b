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
 * The task of one session: reads the programme while a policy is applied, hands frames to the
 * inference thread and verdicts to the gate and the sink.
 */
final class SessionModeration implements ModerationTask {
    private static final Logger log = LoggerFactory.getLogger(SessionModeration.class);

    private final Identity identity;
    private final Supplier<Feed> program;
    private final ModerationSink sink;
    private final ModerationService room;
    private final SampleCounts counts;
    private final SampleGate gate;
    private final FrameTap tap = new Tap();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable SessionSampler run;

    @GuardedBy("lock")
    private @Nullable ReportQueue reports;

    @GuardedBy("lock")
    private Set<AlertType> toldUnserved = Set.of();

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private boolean composited;

    record Identity(StreamId stream, SessionId session) {}

    SessionModeration(
            Identity identity,
            Supplier<Feed> program,
            ModerationSink sink,
            ModerationService room,
            SampleCounts counts) {
        this.identity = identity;
        this.program = program;
        this.sink = sink;
        this.room = room;
        this.counts = counts;
        this.gate = room.gate(identity.session());
    }

    @Override
    public void apply(ModerationPolicy policy) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (policy.gate()) {
                gate.shut(policy.frameIntervalSeconds());
            } else {
                gate.open();
            }
            if (run == null) {
                if (reports == null) {
                    reports = new ReportQueue(identity.session());
                }
                SessionSampler started = new SessionSampler(this, policy, reports);
                run = started;
                started.read(program.get(), composited);
                log.info("{} moderation starts: {}", name(), policy);
            } else {
                run.policy(policy);
                log.info("{} moderation changes: {}", name(), policy);
            }
            tellUnserved();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        lock.lock();
        try {
            SessionSampler stopped = run;
            if (stopped == null) {
                return;
            }
            run = null;
            toldUnserved = Set.of();
            stopped.end();
            gate.open();
            log.info("{} moderation stops: {}", name(), counters());
        } finally {
            lock.unlock();
        }
        room.detectors().forget(identity.session());
    }

    @Override
    public boolean isRunning() {
        lock.lock();
        try {
            return run != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public PublishBarrier barrier() {
        return gate;
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
            if (run != null) {
                run.read(program.get(), runs);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ModerationCounters counters() {
        return counts.snapshot();
    }

    @Override
    public void close() {
        // First, so that what is unjudged stays behind the gate.
        gate.close();
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
        room.closed(this);
    }

    /** Models have come or gone. */
    void modelsChanged() {
        lock.lock();
        try {
            tellUnserved();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void tellUnserved() {
        SessionSampler current = run;
        if (current == null || reports == null) {
            return;
        }
        Set<AlertType> unserved = EnumSet.noneOf(AlertType.class);
        for (AlertType type : current.policy().types()) {
            if (!room.serves(type)) {
                unserved.add(type);
            }
        }
        if (!unserved.equals(toldUnserved)) {
            Set<AlertType> told = Set.copyOf(unserved);
            toldUnserved = told;
            reports.add(() -> sink.unserved(told));
        }
    }

    private @Nullable SessionSampler current() {
        lock.lock();
        try {
            return run;
        } finally {
            lock.unlock();
        }
    }

    /** As logs name it. */
    String name() {
        return "stream=%s session=%s".formatted(identity.stream(), identity.session());
    }

    Identity identity() {
        return identity;
    }

    ModerationService room() {
        return room;
    }

    SampleCounts counts() {
        return counts;
    }

    SampleGate gate() {
        return gate;
    }

    ModerationSink sink() {
        return sink;
    }

    /** The compositor's frames; its thread. */
    private final class Tap implements FrameTap {
        @Override
        public boolean wants(long ptsUs) {
            SessionSampler current = current();
            return current != null && current.wants(ptsUs);
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
