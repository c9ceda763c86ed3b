package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.Interruption;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * One session of a stream: what its publisher sends ({@link #source}), what viewers see ({@link
 * #program}), and its life from the first media to the end. Any thread.
 */
public final class LiveStream {
    private static final Logger log = LoggerFactory.getLogger(LiveStream.class);

    /**
     * {@code WAITING}: let in, nothing sent yet. {@code INTERRUPTED}: the encoder may come back.
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
    private final InstantSource clock;
    private final ScheduledExecutorService timer;
    private final LiveStreams.Listener listener;
    private final Consumer<LiveStream> onEnd;
    private final Feed source = new Feed();
    private final IngestMonitor monitor;
    private final Instant publishedAt;
    private final ReentrantLock lock = new ReentrantLock();

    // Written by the supervisor before the first item flows; a compositor may replace it later.
    private volatile Feed program = source;

    @GuardedBy("lock")
    private State state = State.WAITING;

    @GuardedBy("lock")
    private @Nullable Publication publication;

    @GuardedBy("lock")
    private @Nullable Instant startedAt;

    @GuardedBy("lock")
    private @Nullable ScheduledFuture<?> windowEnd;

    LiveStream(
            PublishRequest request,
            SessionId session,
            LiveStreams.Surroundings surroundings,
            Consumer<LiveStream> onEnd) {
        this.stream = request.stream();
        this.role = request.role();
        this.session = session;
        this.clock = surroundings.clock();
        this.timer = surroundings.timer();
        this.listener = surroundings.listener();
        this.onEnd = onEnd;
        this.publishedAt = clock.instant();
        this.monitor = new IngestMonitor();
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

    /** When the first publisher of this session was let in. */
    public Instant publishedAt() {
        return publishedAt;
    }

    /** When the first media was accepted; empty before. */
    public Optional<Instant> startedAt() {
        lock.lock();
        try {
            return Optional.ofNullable(startedAt);
        } finally {
            lock.unlock();
        }
    }

    public State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** What the publisher sends. */
    public Feed source() {
        return source;
    }

    /** What viewers see: the source itself, unless a compositor works between. */
    public Feed program() {
        return program;
    }

    /** Puts a compositor's output in place of the source. */
    public void program(Feed composited) {
        program = composited;
    }

    /** What is known of the incoming media so far. */
    public IngestReport report() {
        return monitor.report();
    }

    /**
     * Lets a publisher in; empty where this session has just ended.
     *
     * @throws StreamBusyException while another one is sending
     */
    Optional<Publication> attach(PublishRequest request) {
        lock.lock();
        try {
            if (state == State.ENDED) {
                return Optional.empty();
            }
            if (publication != null) {
                if (!publication.isSilent()) {
                    throw new StreamBusyException(stream);
                }
                publication.cut(EndReason.TAKEN_OVER);
                interrupted();
            }
            if (windowEnd != null) {
                windowEnd.cancel(false);
                windowEnd = null;
            }
            publication = new Publication(this, request, monitor);
            return Optional.of(publication);
        } finally {
            lock.unlock();
        }
    }

    /** First media of a publication: the session starts, or goes on after an interruption. */
    void started(Publication by) {
        lock.lock();
        try {
            if (publication != by || state == State.ENDED || state == State.PUBLISHING) {
                return;
            }
            boolean first = startedAt == null;
            if (first) {
                startedAt = clock.instant();
            }
            state(State.PUBLISHING, by.publisher());
            if (first) {
                listener.sessionStarted(this);
            }
            listener.publisherConnected(this);
        } finally {
            lock.unlock();
        }
    }

    /** The publisher left by itself. */
    void closed(Publication by) {
        lock.lock();
        try {
            if (publication != by || state == State.ENDED) {
                return;
            }
            publication = null;
            if (state == State.WAITING) {
                end(EndReason.PUBLISHER_GONE);
                return;
            }
            interrupted();
            if (by.reconnectWindow().isZero()) {
                end(EndReason.PUBLISHER_GONE);
                return;
            }
            windowEnd =
                    timer.schedule(
                            () -> windowPassed(),
                            by.reconnectWindow().toMillis(),
                            TimeUnit.MILLISECONDS);
        } finally {
            lock.unlock();
        }
    }

    /** Cuts the publisher, keeps the session: the reconnect window begins. */
    void cutPublisher(EndReason reason) {
        lock.lock();
        try {
            Publication current = publication;
            if (current != null) {
                current.cut(reason);
                closed(current);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the session, cuts its publisher; once. */
    void end(EndReason reason) {
        lock.lock();
        try {
            if (state == State.ENDED) {
                return;
            }
            boolean ran = startedAt != null;
            state(State.ENDED, reason.name());
            if (windowEnd != null) {
                windowEnd.cancel(false);
            }
            if (publication != null) {
                publication.cut(reason);
                publication = null;
            }
            source.end();
            onEnd.accept(this);
            if (ran) {
                listener.sessionEnded(this, reason);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Media of the current publisher; nothing passes once it has been cut. */
    boolean accepts(Publication from) {
        lock.lock();
        try {
            return publication == from && state != State.ENDED;
        } finally {
            lock.unlock();
        }
    }

    InstantSource clock() {
        return clock;
    }

    @GuardedBy("lock")
    private void interrupted() {
        if (state == State.PUBLISHING) {
            source.offer(Interruption.PUBLISHER_GONE);
            source.flush();
            state(State.INTERRUPTED, "publisher gone");
            listener.publisherDisconnected(this);
        }
    }

    private void windowPassed() {
        lock.lock();
        try {
            if (state == State.INTERRUPTED && publication == null) {
                end(EndReason.PUBLISHER_GONE);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void state(State next, String reason) {
        log.info(
                "stream={} session={} role={} {} -> {} ({})",
                stream,
                session,
                role,
                state,
                next,
                reason);
        state = next;
    }
}
