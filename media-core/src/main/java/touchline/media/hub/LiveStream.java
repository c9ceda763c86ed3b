package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import touchline.media.Interruption;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.codec.DecodingRefusedException;

/**
 * One session of a stream: what its publisher sends ({@link #source}), what viewers get ({@link
 * #program}), and its life cycle from the first media to the end. Any thread.
 *
 * <p>{@code lock} guards the life cycle and the {@link SourceSelection}. It is taken before the
 * locks of the monitor and of the feed. Listeners and publishers are called without a lock.
 */
public final class LiveStream {
    /**
     * {@code WAITING}: publisher admitted, no media yet. {@code INTERRUPTED}: publisher gone, the
     * reconnect window runs.
     */
    public enum State {
        WAITING,
        PUBLISHING,
        INTERRUPTED,
        ENDED
    }

    private final StreamId stream;
    private final Role role;
    private final SessionId session;
    private final LiveStreams.Dependencies dependencies;
    private final Consumer<LiveStream> onEnd;
    private final Feed source = new Feed();
    private final ProgramSwitch program = new ProgramSwitch(source);
    private final IngestMonitor monitor;
    private final FurtherTracks further;
    private final OrderedEvents events = new OrderedEvents();
    private final Instant publishedAt;
    private final long publishedNs;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deadline deadline;

    @GuardedBy("lock")
    private final LifeCycle life;

    /** Guarded by the lock where it says so. */
    private final SourceSelection sources;

    LiveStream(
            PublishRequest request,
            SessionId session,
            LiveStreams.Dependencies dependencies,
            Consumer<LiveStream> onEnd) {
        this.stream = request.stream();
        this.role = request.role();
        this.session = session;
        this.dependencies = dependencies;
        this.onEnd = onEnd;
        this.publishedAt = dependencies.clock().instant();
        this.publishedNs = dependencies.nanoTime().getAsLong();
        // A changed setting applies to the next session.
        this.life = new LifeCycle(new ReconnectWindow(request.reconnectWindow(), dependencies));
        this.monitor = new IngestMonitor(dependencies.clock(), this::warned);
        this.further = new FurtherTracks(source, monitor);
        this.deadline = new Deadline(dependencies.timer(), this::deadlinePassed);
        var shared = new SourceSelection.Dependencies(lock, monitor, events, dependencies);
        this.sources = new SourceSelection(this, shared);
    }

    /** A session that waits for its encoder since the last stop of the server. */
    LiveStream(
            InterruptedSession before,
            LiveStreams.Dependencies dependencies,
            Consumer<LiveStream> onEnd) {
        this.stream = before.stream();
        this.role = Role.MAIN;
        this.session = before.session();
        this.dependencies = dependencies;
        this.onEnd = onEnd;
        this.publishedAt = before.startedAt();
        Duration age = Duration.between(publishedAt, dependencies.clock().instant());
        this.publishedNs = dependencies.nanoTime().getAsLong() - age.toNanos();
        this.life =
                new LifeCycle(new ReconnectWindow(before.reconnectWindow(), dependencies), before);
        this.monitor = new IngestMonitor(dependencies.clock(), this::warned, before);
        this.further = new FurtherTracks(source, monitor);
        this.deadline = new Deadline(dependencies.timer(), this::deadlinePassed);
        var shared = new SourceSelection.Dependencies(lock, monitor, events, dependencies);
        this.sources = new SourceSelection(this, shared);
        deadline.arm(before.left().toNanos());
    }

    public StreamId stream() {
        return stream;
    }

    public Role role() {
        return role;
    }

    public SessionId session() {
        return session;
    }

    /** When the first publisher of this session was admitted. */
    public Instant publishedAt() {
        return publishedAt;
    }

    /** The same by the monotonic clock. */
    long publishedNs() {
        return publishedNs;
    }

    /** When the first media was accepted; empty before. */
    public Optional<Instant> startedAt() {
        return read(LifeCycle::startedAt);
    }

    public State state() {
        return read(LifeCycle::state);
    }

    /** When the encoder disconnected, while the reconnect window runs; empty otherwise. */
    public Optional<Instant> disconnectedAt() {
        return read(LifeCycle::disconnectedAt);
    }

    /** How long it waits for its encoder after each disconnection. */
    public Duration reconnectWindow() {
        return read(each -> each.window.length());
    }

    /** What the next start of the server needs; present after an end by SHUTDOWN in time. */
    public Optional<InterruptedSession> interrupted() {
        return read(LifeCycle::interrupted);
    }

    /** Asks under the lock. */
    <T> T read(Function<LifeCycle, T> question) {
        lock.lock();
        try {
            return question.apply(life);
        } finally {
            lock.unlock();
        }
    }

    /** What the publisher sends. */
    public Feed source() {
        return source;
    }

    /** What the publisher sends beside the source. */
    public FurtherTracks furtherTracks() {
        return further;
    }

    /** What viewers get: the source, or what a compositor makes of it. */
    public Feed program() {
        return program.feed();
    }

    /** Lets a compositor take over the program. */
    public ProgramSwitch programSwitch() {
        return program;
    }

    /** What writes the program while no publisher sends. */
    public Standby standby() {
        return sources.standby();
    }

    /** Between primary and backup; empty for a session that never had a backup. */
    public Optional<Failover> failover() {
        return read(_ -> sources.failover());
    }

    /** Measurements of the incoming media so far. */
    public IngestReport report() {
        return monitor.report();
    }

    /** What arrived in the last hour, in steps that ended after this moment; oldest first. */
    public List<HealthSample> health(Instant after) {
        return monitor.health(after);
    }

    /** Whether a publisher has sent within the last seconds, or was just admitted. */
    boolean isSending() {
        return read(_ -> sources.isSending());
    }

    /** Started and not ended. */
    boolean isActive() {
        State now = state();
        return now == State.PUBLISHING || now == State.INTERRUPTED;
    }

    /**
     * Admits a publisher; empty if this session has just ended. The reconnect window runs on until
     * its first media.
     *
     * @throws StreamBusyException while another publisher of this source sends
     */
    Optional<Publication> attach(PublishRequest request) {
        lock.lock();
        try {
            if (life.state() == State.ENDED) {
                return Optional.empty();
            }
            Optional<Publication> before = sources.replacedBy(request.source(), stream);
            if (before.isPresent()) {
                detach(before.get(), EndReason.TAKEN_OVER);
                interrupt();
            }
            var next = new Publication(this, sources, request, sources.shared());
            sources.admit(next, request.failover());
            life.admitted(request);
            if (life.state() == State.WAITING) {
                deadline.arm(LifeCycle.FIRST_MEDIA.toNanos());
            }
            return Optional.of(next);
        } finally {
            lock.unlock();
            events.deliver();
        }
    }

    /** Media of a publication: true if it starts or continues the session. Under the lock. */
    @GuardedBy("lock")
    boolean startedBy(Publication by) {
        if (life.state() == State.PUBLISHING) {
            return false;
        }
        deadline.disarm();
        boolean first = life.start(dependencies.clock().instant());
        life.state(this, State.PUBLISHING, by.publisher());
        LiveStreams.Listener listener = dependencies.listener();
        if (first) {
            events.add(() -> listener.sessionStarted(this));
        }
        events.add(() -> listener.publisherConnected(this));
        return true;
    }

    /** The publisher has disconnected. */
    void closed(Publication by) {
        lock.lock();
        try {
            if (sources.contains(by) && life.state() != State.ENDED) {
                sources.remove(by);
                leave();
            }
        } finally {
            lock.unlock();
            events.deliver();
        }
    }

    /** Cuts a publisher and keeps the session: without another one the reconnect window begins. */
    void cutPublisher(PublishSource source, EndReason reason) {
        lock.lock();
        try {
            Optional<Publication> current = sources.of(source);
            if (current.isPresent() && life.state() != State.ENDED) {
                cut(current.get(), reason);
            }
        } finally {
            lock.unlock();
            events.deliver();
        }
    }

    /** Ends the session and cuts its publisher. Idempotent. */
    void end(EndReason reason) {
        lock.lock();
        try {
            endLocked(reason);
        } finally {
            lock.unlock();
            events.deliver();
        }
    }

    @GuardedBy("lock")
    private void endLocked(EndReason reason) {
        if (life.state() == State.ENDED) {
            return;
        }
        boolean ran = life.startedAt().isPresent();
        if (reason == EndReason.SHUTDOWN && role == Role.MAIN) {
            life.interruptedBy(this, monitor, dependencies.clock().instant());
        }
        life.state(this, State.ENDED, reason.name());
        deadline.disarm();
        sources.all().forEach(each -> detach(each, reason));
        sources.end();
        source.end();
        further.end();
        onEnd.accept(this);
        if (ran) {
            events.add(() -> dependencies.listener().sessionEnded(this, reason));
        }
    }

    /** Drops everything the publication writes from now on; it is notified without the lock. */
    @GuardedBy("lock")
    private void detach(Publication cut, EndReason reason) {
        sources.remove(cut);
        events.add(() -> cut.cut(reason));
    }

    /** Cuts a publication and keeps the session. Under the lock. */
    @GuardedBy("lock")
    void cut(Publication from, EndReason reason) {
        detach(from, reason);
        leave();
    }

    /** A publication is gone. */
    @GuardedBy("lock")
    private void leave() {
        if (!sources.isEmpty()) {
            return;
        }
        if (life.state() == State.WAITING) {
            endLocked(EndReason.PUBLISHER_GONE);
            return;
        }
        interrupt();
        long leftNs = life.window.leftNs();
        if (leftNs <= 0) {
            endLocked(EndReason.PUBLISHER_GONE);
        } else {
            deadline.arm(leftNs);
        }
    }

    /** Starts the reconnect window. A publisher without media does not extend it. */
    @GuardedBy("lock")
    private void interrupt() {
        if (life.state() != State.PUBLISHING || !sources.isEmpty()) {
            return;
        }
        if (!sources.standby().publicationGone()) {
            source.offer(Interruption.PUBLISHER_GONE);
        }
        further.interrupt();
        source.flush();
        sources.deselect();
        life.window.open();
        life.state(this, State.INTERRUPTED, "publisher gone");
        deadline.arm(life.window.length().toNanos());
        events.add(() -> dependencies.listener().publisherDisconnected(this));
    }

    /** No media in time. A publisher admitted meanwhile gets the rest of its own time. */
    private void deadlinePassed(long number) {
        lock.lock();
        try {
            if (!deadline.isCurrent(number) || life.state() == State.ENDED) {
                return;
            }
            long leftNs = sources.firstMediaLeftNs();
            if (leftNs <= 0) {
                endLocked(EndReason.PUBLISHER_GONE);
            } else {
                deadline.arm(leftNs);
            }
        } finally {
            lock.unlock();
            events.deliver();
        }
    }

    /** A decoder refuses what the publisher sends: a warning of the session. */
    public void refused(DecodingRefusedException cause) {
        monitor.refused(cause);
        events.deliver();
    }

    /** A fault of the signal has begun or ended: a warning of the session for each occurrence. */
    public void fault(IngestReport.Warning occurrence) {
        monitor.fault(occurrence);
    }

    private void warned(IngestReport.Warning warning) {
        events.add(() -> dependencies.listener().ingestWarning(this, warning));
    }
}
