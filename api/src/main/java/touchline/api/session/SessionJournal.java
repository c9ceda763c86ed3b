package touchline.api.session;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Change;
import touchline.api.db.ClusterChanges;
import touchline.api.db.Database;
import touchline.api.db.Epoch;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.StreamWrites;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.EventType;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.SuspendedSession;
import touchline.api.events.StreamEvents;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.media.hub.SourceChange;
import touchline.media.hub.StandbyReason;

/**
 * Stores the starts, changes and ends of sessions, each step in one transaction with its events.
 * The steps of one stream are stored in order, on virtual threads; callers are event loops and must
 * not block. A failed step is tried again for a while.
 */
public final class SessionJournal implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionJournal.class);

    /** A start has fewer tries: the session is not visible before it is stored. */
    private static final int START_TRIES = 3;

    private static final int TRIES = 60;

    /** About an hour: a stream that showed a rejected frame must not come back. */
    private static final int DISABLE_TRIES = 3_600;

    private final Dependencies dependencies;
    private final SessionHandover handover;
    private final StreamWrites steps;
    private final ConcurrentHashMap<SessionId, JournalEntry> entries = new ConcurrentHashMap<>();

    /** All borrowed, but for the steps. */
    public record Dependencies(
            Database database,
            StreamRepository streams,
            SessionRepository sessions,
            StreamEvents events,
            StreamAdmission admission,
            StreamWrites steps,
            InstantSource clock) {}

    public SessionJournal(Dependencies dependencies) {
        this.dependencies = dependencies;
        this.steps = dependencies.steps();
        this.handover = new SessionHandover(dependencies);
    }

    /** Whether the start of a session is stored. */
    static final class Started {
        private final JournalEntry entry;

        private Started(JournalEntry entry) {
            this.entry = entry;
        }

        /**
         * Blocks until the step has ended.
         *
         * @return false if the stream does not exist any more, or is disabled
         * @throws IllegalStateException where the start could not be stored
         */
        boolean await() throws InterruptedException {
            try {
                return entry.begun.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the session could not be stored", e);
            }
        }
    }

    /** Stores that a session has started, with its encoder's first media. Does not block. */
    Started started(LiveStream live) {
        JournalEntry entry = new JournalEntry(Set.of(), admission().epoch(live.stream()));
        entries.put(live.session(), entry);
        steps.add(
                live.stream(),
                new StreamWrites.Step(
                        "start",
                        START_TRIES,
                        () -> entry.begun.complete(begin(live, entry)),
                        () ->
                                entry.begun.completeExceptionally(
                                        new IllegalStateException("not stored"))));
        return new Started(entry);
    }

    /** A session that the database has since an earlier process; its encoder is away. */
    Started resumed(SuspendedSession suspended) {
        JournalEntry entry =
                JournalEntry.resumed(suspended, admission().epoch(suspended.session().stream()));
        entries.put(suspended.session().id(), entry);
        return new Started(entry);
    }

    private boolean begin(LiveStream live, JournalEntry entry) {
        boolean begun =
                dependencies
                        .database()
                        .transaction(
                                () -> {
                                    Optional<StreamDefinition> stream = enabled(live.stream());
                                    if (stream.isEmpty() || !insert(live, entry.epoch)) {
                                        return false;
                                    }
                                    // Before the events are sent: the stream is active by then.
                                    dependencies
                                            .database()
                                            .afterCommit(() -> entry.begun.complete(true));
                                    ActiveSession active = ActiveSession.connected(live.session());
                                    record(EventType.LIVE_STREAM_CONNECTED, stream.get(), active);
                                    record(EventType.LIVE_STREAM_ACTIVE, stream.get(), active);
                                    return true;
                                });
        entry.connected = begun;
        return begun;
    }

    /** Whether a session of the stream is not yet stored as ended, or as left open by a stop. */
    boolean isWriting(StreamId stream) {
        return entries.values().stream().anyMatch(each -> each.epoch.stream().equals(stream));
    }

    /** Stores measurements; false where another node has taken the stream. Blocks. */
    boolean reported(LiveStream live, SessionReport report) {
        JournalEntry entry = entries.get(live.session());
        return entry == null || entry.report(live.session(), report, dependencies);
    }

    /** Whether the database has a session that has not ended. */
    boolean isListed(SessionId session) {
        JournalEntry entry = entries.get(session);
        return entry != null && entry.isStored();
    }

    private boolean insert(LiveStream live, Epoch epoch) {
        Instant at = live.startedAt().orElseGet(dependencies.clock()::instant);
        Session session = Session.started(live.session(), live.stream(), at);
        return dependencies.sessions().start(session, epoch);
    }

    StreamAdmission admission() {
        return dependencies.admission();
    }

    private Optional<StreamDefinition> enabled(StreamId stream) {
        return dependencies.streams().find(stream).filter(it -> !it.disabled());
    }

    /**
     * Stores that the encoder has reconnected; no effect for the first connection. Does not block.
     */
    void connected(LiveStream live) {
        ifBegun(
                live,
                "connection",
                (entry, stream) -> {
                    if (!entry.connected) {
                        boolean _ = dependencies.sessions().connected(live.session(), entry.epoch);
                        record(
                                EventType.LIVE_STREAM_CONNECTED,
                                stream,
                                ActiveSession.connected(live.session()));
                    }
                },
                entry -> entry.connected = true);
    }

    /** Stores that the encoder has disconnected. Does not block. */
    void disconnected(LiveStream live) {
        Instant at = live.disconnectedAt().orElseGet(dependencies.clock()::instant);
        ActiveSession active = new ActiveSession(live.session(), Optional.of(at));
        ifBegun(
                live,
                "disconnection",
                (entry, stream) -> {
                    if (entry.connected) {
                        boolean _ = dependencies.sessions().disconnected(entry.epoch);
                        record(EventType.LIVE_STREAM_DISCONNECTED, stream, active);
                    }
                },
                entry -> entry.connected = false);
    }

    /** Stores that the standby writes, or does so no more. Does not block. */
    void standby(LiveStream live, EventType type, StandbyReason reason) {
        ActiveSession active = ActiveSession.of(live);
        event(live, "standby", it -> dependencies.events().standby(type, it, active, reason));
    }

    /** Stores a warning of the ingest checks. Does not block. */
    void warned(LiveStream live, IngestReport.Warning warning) {
        ifBegun(
                live,
                "warning",
                (entry, stream) -> {
                    // B-frames cost latency, which matters in latency mode low only.
                    boolean recorded =
                            stream.settings().latencyMode() == LatencyMode.LOW
                                    || !warning.code().equals(IngestReport.B_FRAMES);
                    if (recorded && !entry.warned.contains(warning.code())) {
                        dependencies.events().warning(stream, live.session(), warning);
                    }
                },
                _ -> {});
    }

    /** Stores that a fault of the signal has begun or ended. Does not block. */
    public void fault(LiveStream live, IngestReport.Warning occurrence) {
        event(live, "fault", it -> dependencies.events().fault(it, live.session(), occurrence));
    }

    /** Stores that the programme is that of the other encoder. Does not block. */
    void sourceChanged(LiveStream live, SourceChange change) {
        event(live, "source", it -> dependencies.events().source(it, live.session(), change));
    }

    /**
     * Stores that the session has ended. Does not block.
     *
     * @param measured its measurements, called when the end is stored
     */
    void ended(LiveStream live, EndReason reason, Supplier<SessionReport> measured) {
        Instant at = dependencies.clock().instant();
        JournalEntry entry = entries.get(live.session());
        if (entry == null) {
            return;
        }
        steps.add(
                live.stream(),
                new StreamWrites.Step(
                        "end",
                        TRIES,
                        () -> {
                            end(live, entry, at, reason, measured.get());
                            dependencies.admission().closed(entry.epoch);
                            entries.remove(live.session());
                        },
                        () -> entries.remove(live.session())));
    }

    private void end(
            LiveStream live,
            JournalEntry entry,
            Instant at,
            EndReason reason,
            SessionReport report) {
        dependencies
                .database()
                .transact(
                        () -> {
                            SessionId session = live.session();
                            SessionRepository sessions = dependencies.sessions();
                            sessions.report(session, report, at, entry.epoch);
                            if (!sessions.end(session, at, SessionEnd.of(reason), entry.epoch)) {
                                return;
                            }
                            dependencies
                                    .streams()
                                    .find(live.stream())
                                    .ifPresent(
                                            stream -> handover.recordEnd(stream, entry.connected));
                        });
    }

    /** Stores that the next start of the server continues a session. Does not block. */
    void suspended(LiveStream live, SuspendedSession suspended, SessionReport report) {
        JournalEntry entry = entries.get(live.session());
        if (entry == null) {
            return;
        }
        steps.add(
                live.stream(),
                new StreamWrites.Step(
                        "suspension",
                        TRIES,
                        () -> {
                            handover.suspend(suspended, report, entry);
                            dependencies.admission().closed(entry.epoch);
                        },
                        () -> log.error("session={} ends with the server", live.session())));
    }

    /**
     * Stores that the server has disabled a stream. Does not block.
     *
     * @param session the session that ran then
     * @param unlessDropped runs the change that it gets, unless it was dropped meanwhile
     */
    void disabled(StreamId stream, Optional<SessionId> session, Consumer<Runnable> unlessDropped) {
        steps.add(
                stream,
                new StreamWrites.Step(
                        "disabling",
                        DISABLE_TRIES,
                        () ->
                                unlessDropped.accept(
                                        () ->
                                                dependencies
                                                        .database()
                                                        .transact(() -> disable(stream, session))),
                        () -> log.error("stream={} stays refused until a restart", stream)));
    }

    private void disable(StreamId id, Optional<SessionId> session) {
        StreamRepository streams = dependencies.streams();
        if (streams.setDisabled(id, true) != Change.CHANGED) {
            return;
        }
        dependencies.database().changes().record(ClusterChanges.Kind.STREAM, id.value());
        Optional<ActiveSession> active = session.map(ActiveSession::connected);
        StreamEvents events = dependencies.events();
        streams.find(id).ifPresent(it -> events.record(EventType.LIVE_STREAM_DISABLED, it, active));
    }

    /** What a stop of the server leaves to its next start. */
    public SessionHandover handover() {
        return handover;
    }

    @FunctionalInterface
    private interface EventWriter {
        void write(JournalEntry entry, StreamDefinition stream);
    }

    private void event(LiveStream live, String what, Consumer<StreamDefinition> writer) {
        ifBegun(live, what, (_, stream) -> writer.accept(stream), _ -> {});
    }

    /**
     * @param change applied to the entry when the step is stored
     */
    private void ifBegun(
            LiveStream live, String what, EventWriter writer, Consumer<JournalEntry> change) {
        JournalEntry entry = entries.get(live.session());
        if (entry == null) {
            return;
        }
        steps.add(
                live.stream(),
                new StreamWrites.Step(
                        what,
                        TRIES,
                        () -> {
                            if (entry.isStored()) {
                                dependencies
                                        .database()
                                        .transact(
                                                () ->
                                                        dependencies
                                                                .streams()
                                                                .find(live.stream())
                                                                .ifPresent(
                                                                        stream ->
                                                                                writer.write(
                                                                                        entry,
                                                                                        stream)));
                                change.accept(entry);
                            }
                        },
                        () -> change.accept(entry)));
    }

    private void record(EventType type, StreamDefinition stream, ActiveSession active) {
        dependencies.events().record(type, stream, Optional.of(active));
    }

    /** Waits for a short time until everything is stored. Called when all sessions have ended. */
    @Override
    public void close() {
        steps.close();
    }
}
