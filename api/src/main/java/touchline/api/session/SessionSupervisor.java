package touchline.api.session;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.audit.ModerationControl;
import touchline.api.domain.EventType;
import touchline.api.domain.SessionReport;
import touchline.api.domain.SuspendedSession;
import touchline.api.domain.TrackStatus;
import touchline.api.programme.StandbyControl;
import touchline.api.scoreboard.OverlayControl;
import touchline.api.scoreboard.OverlayPublishers;
import touchline.api.scoreboard.RunningOverlays;
import touchline.api.scoreboard.SessionProgram;
import touchline.api.signal.SignalControl;
import touchline.ingest.PublishGate;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Role;
import touchline.media.hub.SourceChange;
import touchline.media.hub.StandbyReason;
import touchline.media.rendition.RenditionStatus;

/**
 * Connects running sessions with the database: starts packager, recorder and row of a session, and
 * applies changed settings of a stream to its session. Event loops call the listener's methods,
 * which do not block. The other methods may block.
 */
public final class SessionSupervisor
        implements LiveStreams.Listener, LiveControl, ModerationControl, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionSupervisor.class);

    private static final Duration REPORT_EVERY = Duration.ofSeconds(5);

    private final SessionDependencies dependencies;
    private final LiveStreams live;
    private final ConcurrentHashMap<SessionId, LiveSession> running = new ConcurrentHashMap<>();
    private final SessionThreads threads = new SessionThreads();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final LingeringSessions lingering = new LingeringSessions();

    /** Closes the sessions that a stop leaves open. */
    private final Queue<Runnable> suspended = new ConcurrentLinkedQueue<>();

    private final LiveSession.Shared shared;
    private final OverlayControl overlays;
    private final OverlayPublishers pushes;
    private final StreamDisabler disabler;
    private final SourceControl sources;
    private final StandbyControl standby;
    private final SessionPositions positions;
    private final SessionResumer resumer;

    /**
     * @param dependencies of sessions; borrowed
     * @param live creates the registry; its listener is this supervisor
     */
    public SessionSupervisor(
            SessionDependencies dependencies, Function<LiveStreams.Listener, LiveStreams> live) {
        this.dependencies = dependencies;
        this.positions =
                new SessionPositions(running, dependencies.playback(), dependencies.clock());
        this.live = live.apply(this);
        this.sources = new RunningSources(this.live);
        this.shared = new LiveSession.Shared(dependencies, this.live, lingering, suspended::add);
        this.pushes = new OverlayPublishers(this::live, dependencies.streams(), this::program);
        this.disabler = new StreamDisabler(dependencies.journal(), this);
        this.standby =
                new StandbyControl(this::running, dependencies.streams(), dependencies.standby());
        this.resumer =
                new SessionResumer(
                        dependencies.sessions(),
                        dependencies.journal().admission(),
                        dependencies.clock(),
                        this::resume);
        this.overlays = new RunningOverlays(this::program, pushes, dependencies.overlay().slots());
    }

    private Optional<SessionProgram> program(StreamId stream) {
        return running.values().stream()
                .filter(session -> session.stream().equals(stream))
                .findFirst()
                .map(LiveSession::program);
    }

    /** Stores the measurements of sessions every few seconds, until {@link #close}. */
    public void start() {
        Thread.ofVirtual().name("session-reports").start(this::reportUntilStopped);
    }

    /** The scoreboards of running sessions. */
    public OverlayControl overlays() {
        return overlays;
    }

    /** Disables streams on behalf of moderation. */
    public StreamDisabler disabler() {
        return disabler;
    }

    /** The registry that ingest publishes into. */
    public LiveStreams live() {
        return live;
    }

    /** Decides what may be published into {@link #live}. */
    public PublishGate gate() {
        return new StreamKeyGate(
                dependencies.streams(),
                disabler::isRefused,
                live::isOpen,
                new AudioRules(dependencies.packager().transcodeAudio()),
                dependencies.journal().admission(),
                resumer::admitted);
    }

    @Override
    public void sessionStarted(LiveStream session) {
        if (session.role() == Role.OVERLAY) {
            pushes.started(session);
            return;
        }
        LiveSession _ = run(session, dependencies.journal().started(session), Optional.empty());
    }

    /**
     * Continues the sessions that the last stop has left open. Called once, before publishers and
     * viewers are admitted. Viewers find the sessions when this returns.
     */
    public void resume(List<SuspendedSession> sessions) {
        resumer.resume(sessions);
    }

    private LiveSession resume(ContinuedSession before) {
        SuspendedSession suspended = before.suspended();
        LiveStream session = live.resume(suspended.at(dependencies.clock().instant()));
        return run(session, dependencies.journal().resumed(suspended), Optional.of(before));
    }

    private LiveSession run(
            LiveStream session, SessionJournal.Started stored, Optional<ContinuedSession> before) {
        StreamId stream = session.stream();
        SessionProgram program =
                new SessionProgram(session, dependencies.overlay(), () -> pushes.of(stream));
        LiveSession started = new LiveSession(session, program, shared, stored, before);
        running.put(session.session(), started);
        dependencies.signals().opened(session);
        threads.start(stream, session.session(), () -> run(started));
        return started;
    }

    @Override
    public void ingestWarning(LiveStream session, IngestReport.Warning warning) {
        log.info(
                "stream={} session={} {}: {}",
                session.stream(),
                session.session(),
                warning.code(),
                warning.message());
        if (session.role() == Role.MAIN) {
            dependencies.journal().warned(session, warning);
        }
    }

    @Override
    public void publisherConnected(LiveStream session) {
        if (session.role() == Role.OVERLAY) {
            pushes.connected(session);
        } else {
            dependencies.journal().connected(session);
        }
    }

    @Override
    public void publisherDisconnected(LiveStream session) {
        if (session.role() == Role.OVERLAY) {
            pushes.disconnected(session);
        } else {
            dependencies.journal().disconnected(session);
        }
    }

    @Override
    public void standbyStarted(LiveStream session, StandbyReason reason) {
        standby.started(reason);
        dependencies.journal().standby(session, EventType.LIVE_STREAM_STANDBY_STARTED, reason);
    }

    @Override
    public void standbyEnded(LiveStream session, StandbyReason reason) {
        dependencies.journal().standby(session, EventType.LIVE_STREAM_STANDBY_ENDED, reason);
    }

    @Override
    public void sessionEnded(LiveStream session, EndReason reason) {
        if (session.role() == Role.OVERLAY) {
            pushes.ended(session);
        }
        LiveSession ended = running.remove(session.session());
        dependencies.signals().ended(session.session());
        if (ended != null) {
            if (!ended.goesOn()) {
                dependencies.journal().ended(session, reason, ended::measured);
            }
            ended.ended(reason);
        }
    }

    @Override
    public Optional<LiveStream> active(StreamId stream) {
        return running(stream).filter(this::isListed);
    }

    private Optional<LiveStream> running(StreamId stream) {
        return live.active(stream, Role.MAIN);
    }

    /** A session must not be visible before the database has it. */
    private boolean isListed(LiveStream session) {
        return dependencies.journal().isListed(session.session());
    }

    @Override
    public Set<StreamId> activeStreams() {
        return live.active().stream()
                .filter(each -> each.role() == Role.MAIN && isListed(each))
                .map(LiveStream::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<SessionReport> report(SessionId session) {
        return Optional.ofNullable(running.get(session)).map(LiveSession::measured);
    }

    @Override
    public OptionalLong positionUs(SessionId session) {
        return positions.us(session);
    }

    @Override
    public OptionalLong mediaStartUs(SessionId session) {
        return positions.mediaStartUs(session);
    }

    @Override
    public List<RenditionStatus> renditions(SessionId session) {
        LiveSession live = running.get(session);
        return live == null ? List.of() : live.renditions().status();
    }

    @Override
    public List<TrackStatus> tracks(SessionId session) {
        LiveSession found = running.get(session);
        return found == null ? List.of() : found.renditions().tracks();
    }

    @Override
    public SignalControl signals() {
        return dependencies.signals();
    }

    @Override
    public SourceControl sources() {
        return sources;
    }

    @Override
    public void sourceChanged(LiveStream session, SourceChange change) {
        dependencies.journal().sourceChanged(session, change);
    }

    @Override
    public void end(StreamId stream, EndReason reason) {
        if (reason == EndReason.DISABLED || reason == EndReason.DELETED) {
            // First: otherwise the packager's last playlist would complete blocking requests.
            dependencies.playback().closeAll(stream);
            live.end(stream, reason);
            // Again, for a session that was opened meanwhile.
            dependencies.playback().closeAll(stream);
        } else {
            // Now: the listener is called later, but the caller's next request must see the end.
            running(stream)
                    .ifPresent(session -> dependencies.playback().ended(stream, session.session()));
            if (reason == EndReason.COMPLETED) {
                live.complete(stream, dependencies.completeHold().get());
            } else {
                live.end(stream, reason);
            }
        }
    }

    /** Cuts the publishers of a stream, and leaves its session open to any other node. */
    public void release(StreamId stream) {
        running.values().stream()
                .filter(session -> session.stream().equals(stream))
                .forEach(LiveSession::release);
        live.end(stream, EndReason.SHUTDOWN);
    }

    @Override
    public void enabled(StreamId stream) {
        disabler.enabled(stream);
        live.releaseEncoder(stream);
    }

    @Override
    public void streamKeyReset(StreamId stream) {
        live.cutPublisher(stream, Role.MAIN, EndReason.KEY_RESET);
    }

    @Override
    public void settingsChanged(StreamId stream) {
        standby.follow(stream);
    }

    @Override
    public StandbyControl standby() {
        return standby;
    }

    @Override
    public void playbackIdsChanged(StreamId stream) {
        dependencies.playback().identify(stream, () -> dependencies.streams().playbackIds(stream));
    }

    @Override
    public void auditChanged(StreamId stream) {
        running.values().forEach(session -> session.auditChanged(stream));
    }

    @Override
    public void stop(SessionId session) {
        LiveSession moderated = running.get(session);
        if (moderated != null) {
            moderated.stopModeration();
        }
    }

    /** Closes what {@link #close} has left open. Called when the listeners are closed. */
    public void closeSuspended() {
        for (Runnable each = suspended.poll(); each != null; each = suspended.poll()) {
            each.run();
        }
    }

    /**
     * Ends all sessions and waits until they are stored. Those with time left in their reconnect
     * window are suspended: their playlists stay open for {@link #resume}.
     */
    @Override
    public void close() {
        stopping.countDown();
        lingering.close();
        dependencies.signals().close();
        running.values().forEach(LiveSession::leaveOpen);
        live.endAll();
        pushes.close();
        if (threads.await(dependencies.stopLimit())) {
            dependencies.journal().close();
        }
    }

    private void run(LiveSession session) {
        // Before the session reads its stream: a change after that finds the session.
        standby.begin(session.stream());
        session.run();
    }

    private void reportUntilStopped() {
        try {
            while (!stopping.await(REPORT_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                running.values().forEach(LiveSession::report);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
