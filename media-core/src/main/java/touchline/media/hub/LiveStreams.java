package touchline.media.hub;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.codec.DecodingRefusedException;

/**
 * Registry of all live sessions. A stream is active exactly while {@link #active} finds it. Any
 * thread; no call blocks.
 */
public final class LiveStreams {
    /** Minimum time between the starts of a programme and its scoreboard push. */
    public static final Duration START_GAP = StartSpacing.GAP;

    /**
     * Receives the life cycle events of sessions. Calls of one session come in order and one at a
     * time, on the publisher's event loop, a timer thread or the thread that caused them; they must
     * not block. No lock of the hub is held: calls back are allowed. {@link #sessionStarted} comes
     * before the first item, so a subscriber from there misses nothing.
     */
    public interface Listener {
        default void sessionStarted(LiveStream live) {}

        /** After sessionStarted, and whenever an encoder reconnects. */
        default void publisherConnected(LiveStream live) {}

        default void publisherDisconnected(LiveStream live) {}

        /** The program is that of the other publisher. */
        default void sourceChanged(LiveStream live, SourceChange change) {}

        /** The standby writes the program. */
        default void standbyStarted(LiveStream live, StandbyReason reason) {}

        /** With the reason of the start before. */
        default void standbyEnded(LiveStream live, StandbyReason reason) {}

        /** Once for each code; all are in {@link IngestReport#warnings}. */
        default void ingestWarning(LiveStream live, IngestReport.Warning warning) {}

        default void sessionEnded(LiveStream live, EndReason reason) {}
    }

    record Dependencies(
            InstantSource clock,
            LongSupplier nanoTime,
            ScheduledExecutorService timer,
            Listener listener,
            FailoverDependencies failover) {}

    private record Key(StreamId stream, Role role) {}

    private final Dependencies dependencies;
    private final ConcurrentHashMap<Key, LiveStream> streams = new ConcurrentHashMap<>();
    private final Admissions admissions = new Admissions();
    private final CompletedPublishers completed;
    private final StartSpacing startGap;
    private final ReentrantLock starts = new ReentrantLock();
    private volatile boolean stopped;

    /**
     * @param timer ends reconnect windows; borrowed
     */
    public LiveStreams(InstantSource clock, ScheduledExecutorService timer, Listener listener) {
        this(clock, System::nanoTime, timer, listener, FailoverDependencies.NONE);
    }

    /**
     * @param nanoTime monotonic clock for silence and reconnect windows
     * @param timer ends reconnect windows; borrowed
     */
    public LiveStreams(
            InstantSource clock,
            LongSupplier nanoTime,
            ScheduledExecutorService timer,
            Listener listener) {
        this(clock, nanoTime, timer, listener, FailoverDependencies.NONE);
    }

    /**
     * @param nanoTime monotonic clock for silence and reconnect windows
     * @param timer ends reconnect windows; borrowed
     * @param failover of sessions with two publishers
     */
    public LiveStreams(
            InstantSource clock,
            LongSupplier nanoTime,
            ScheduledExecutorService timer,
            Listener listener,
            FailoverDependencies failover) {
        this.dependencies = new Dependencies(clock, nanoTime, timer, listener, failover);
        this.completed = new CompletedPublishers(nanoTime);
        this.startGap = new StartSpacing(nanoTime);
    }

    /** A ticket for {@link #publish(PublishRequest, long)}, taken before the key is checked. */
    public long admissionTicket() {
        return admissions.ticket();
    }

    /**
     * Admits a publisher whose key was checked after the ticket was taken.
     *
     * @param ticket of {@link #admissionTicket}
     * @throws AdmissionRevokedException the key was replaced since then, or the stream disabled or
     *     deleted
     * @throws PublisherHeldException the session of this encoder was completed shortly before
     * @throws StreamBusyException while another publisher is sending (silent for less than 5 s)
     * @throws StartTooSoonException a scoreboard push so shortly after the programme's start
     */
    public Publication publish(PublishRequest request, long ticket) {
        completed.requireFree(request);
        Publication publication = publish(request);
        // After the publication exists: a change of that moment either finds it, or is found here.
        try {
            completed.requireFree(request);
            admissions
                    .revocation(request, ticket)
                    .ifPresent(
                            reason -> {
                                throw new AdmissionRevokedException(request.stream(), reason);
                            });
        } catch (AdmissionRevokedException | PublisherHeldException e) {
            publication.close();
            throw e;
        }
        return publication;
    }

    /**
     * Admits a publisher. The session itself starts with its first media. After {@link #endAll} the
     * publication is cut as soon as it is made. A scoreboard push that started just before the
     * programme is cut (see {@link StartSpacing}).
     *
     * @throws StreamBusyException while another publisher is sending (silent for less than 5 s)
     * @throws StartTooSoonException a scoreboard push so shortly after the programme's start
     */
    public Publication publish(PublishRequest request) {
        Key key = new Key(request.stream(), request.role());
        while (true) {
            LiveStream live = session(key, request);
            Optional<Publication> publication = live.attach(request);
            if (publication.isPresent()) {
                if (stopped) {
                    live.end(EndReason.SHUTDOWN);
                }
                return publication.get();
            }
            streams.remove(key, live);
        }
    }

    /** The session of a stream that has started and not ended. */
    public Optional<LiveStream> active(StreamId stream, Role role) {
        return Optional.ofNullable(streams.get(new Key(stream, role))).filter(LiveStream::isActive);
    }

    /** All sessions that have started and not ended. */
    public List<LiveStream> active() {
        return streams.values().stream().filter(LiveStream::isActive).toList();
    }

    /** Whether a session of a stream is there, in any role, started or not. */
    public boolean isOpen(StreamId stream) {
        return sessions(stream).findAny().isPresent();
    }

    /** Whether a publisher of a stream has sent within the last seconds, or was just admitted. */
    public boolean isSending(StreamId stream) {
        return sessions(stream).anyMatch(LiveStream::isSending);
    }

    private Stream<LiveStream> sessions(StreamId stream) {
        return Arrays.stream(Role.values())
                .map(role -> streams.get(new Key(stream, role)))
                .filter(Objects::nonNull);
    }

    /** A decoder refuses the video of a session: a warning, if the session still runs. */
    public void refused(SessionId session, DecodingRefusedException cause) {
        streams.values().stream()
                .filter(live -> live.session().equals(session))
                .findFirst()
                .ifPresent(live -> live.refused(cause));
    }

    /**
     * Ends every session of a stream, cuts its publishers. After DISABLED and DELETED, admissions
     * under way are revoked too. Idempotent.
     */
    public void end(StreamId stream, EndReason reason) {
        boolean revokes = reason == EndReason.DISABLED || reason == EndReason.DELETED;
        for (Role role : Role.values()) {
            if (revokes) {
                for (PublishSource source : PublishSource.values()) {
                    admissions.revoke(stream, role, source, reason);
                }
            }
            LiveStream live = streams.get(new Key(stream, role));
            if (live != null) {
                live.end(reason);
            }
        }
    }

    /**
     * Ends every session of a stream as COMPLETED. The encoder of the programme may not publish
     * again for a while.
     *
     * @param hold how long; zero: not at all
     */
    public void complete(StreamId stream, Duration hold) {
        LiveStream live = streams.get(new Key(stream, Role.MAIN));
        if (live != null && hold.isPositive()) {
            // Before the cut: the encoder may return at once.
            completed.hold(stream, live.read(LifeCycle::encoders), hold);
        }
        end(stream, EndReason.COMPLETED);
    }

    /** Lets the encoder of a completed session publish again. */
    public void releaseEncoder(StreamId stream) {
        completed.release(stream);
    }

    /** Ends this session and no other, cuts its publisher. Idempotent. */
    public void end(LiveStream session, EndReason reason) {
        session.end(reason);
    }

    /**
     * Cuts the publisher, revokes admissions under way, and lets the session wait for the next
     * publisher. Idempotent.
     */
    public void cutPublisher(StreamId stream, Role role, EndReason reason) {
        cutPublisher(stream, role, PublishSource.PRIMARY, reason);
    }

    /** The same for the backup of a programme. */
    public void cutBackup(StreamId stream, EndReason reason) {
        cutPublisher(stream, Role.MAIN, PublishSource.BACKUP, reason);
    }

    private void cutPublisher(StreamId stream, Role role, PublishSource source, EndReason reason) {
        admissions.revoke(stream, role, source, reason);
        LiveStream live = streams.get(new Key(stream, role));
        if (live != null) {
            live.cutPublisher(source, reason);
        }
    }

    /** When the programme of a running session switches between its publishers. */
    public void failover(StreamId stream, FailoverSettings settings) {
        LiveStream live = streams.get(new Key(stream, Role.MAIN));
        if (live != null) {
            live.failover().ifPresent(both -> both.follow(settings));
        }
    }

    /**
     * Continues a session that the last stop of the server, or the end of another server, has
     * interrupted: it waits for its encoder. Called before a publisher of its stream is admitted.
     * The listener is not called before its end.
     */
    public LiveStream resume(InterruptedSession before) {
        Key key = new Key(before.stream(), Role.MAIN);
        LiveStream resumed =
                new LiveStream(before, dependencies, live -> streams.remove(key, live));
        if (streams.putIfAbsent(key, resumed) != null) {
            throw new IllegalStateException("stream " + before.stream() + " has a session already");
        }
        if (stopped) {
            resumed.end(EndReason.SHUTDOWN);
        }
        return resumed;
    }

    /** Ends all sessions: the server stops. Publishers admitted later are cut at once. */
    public void endAll() {
        stopped = true;
        streams.values().forEach(live -> live.end(EndReason.SHUTDOWN));
    }

    /** The running session, or a new one if the spacing of starts allows it. */
    private LiveStream session(Key key, PublishRequest request) {
        LiveStream running = streams.get(key);
        if (running != null) {
            return running;
        }
        Optional<LiveStream> other;
        LiveStream created;
        starts.lock();
        try {
            running = streams.get(key);
            if (running != null) {
                return running;
            }
            Role otherRole = key.role() == Role.MAIN ? Role.OVERLAY : Role.MAIN;
            other = Optional.ofNullable(streams.get(new Key(key.stream(), otherRole)));
            if (key.role() == Role.OVERLAY) {
                other.ifPresent(startGap::requirePassedSince);
            }
            created = create(key, request);
            streams.put(key, created);
        } finally {
            starts.unlock();
        }
        if (key.role() == Role.MAIN) {
            // Without a lock: the listener is called.
            other.filter(startGap::isWithin).ifPresent(push -> push.end(EndReason.GAVE_WAY));
        }
        return created;
    }

    private LiveStream create(Key key, PublishRequest request) {
        return new LiveStream(
                request,
                new SessionId("ses_" + UUID.randomUUID().toString().replace("-", "")),
                dependencies,
                live -> streams.remove(key, live));
    }
}
