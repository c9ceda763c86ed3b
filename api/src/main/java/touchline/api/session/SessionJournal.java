package touchline.api.session;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Database;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.EventType;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.events.StreamEvents;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;

/**
 * Stores the life of sessions, each step in one transaction with the events that tell of it. The
 * steps of one stream are stored in their order, one after the other, on virtual threads; they come
 * from event loops, which do not wait. A database that fails is asked again for a while.
 */
public final class SessionJournal implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionJournal.class);

    /** A session's start is worth waiting for only so long: nobody sees it before. */
    private static final int START_TRIES = 3;

    private static final int TRIES = 60;

    private final Dependencies dependencies;
    private final SessionSteps steps = new SessionSteps();
    private final ConcurrentHashMap<SessionId, Entry> entries = new ConcurrentHashMap<>();

    /** What it works with; borrowed. */
    public record Dependencies(
            Database database,
            StreamRepository streams,
            SessionRepository sessions,
            StreamEvents events,
            InstantSource clock) {}

    /** A session between its start and its end. */
    private static final class Entry {
        /** Whether the database has it; completed by its first step. */
        private final CompletableFuture<Boolean> begun = new CompletableFuture<>();

        // Steps of the stream only, which come one after the other.
        private boolean connected;

        private boolean isStored() {
            return begun.isDone() && !begun.isCompletedExceptionally() && begun.join();
        }
    }

    public SessionJournal(Dependencies dependencies) {
        this.dependencies = dependencies;
    }

    /** Whether the start of a session is stored. */
    static final class Started {
        private final Entry entry;

        private Started(Entry entry) {
            this.entry = entry;
        }

        /**
         * Waits until it is known.
         *
         * @return false where the session's stream is gone, or disabled
         * @throws IllegalStateException where it could not be stored
         */
        boolean await() throws InterruptedException {
            try {
                return entry.begun.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the session could not be stored", e);
            }
        }
    }

    /** A session has started, by the first media of its encoder. Does not block. */
    Started started(LiveStream live) {
        Entry entry = new Entry();
        entries.put(live.session(), entry);
        steps.add(
                live.stream(),
                new SessionSteps.Step(
                        "start",
                        START_TRIES,
                        () -> entry.begun.complete(begin(live, entry)),
                        () ->
                                entry.begun.completeExceptionally(
                                        new IllegalStateException("not stored"))));
        return new Started(entry);
    }

    private boolean begin(LiveStream live, Entry entry) {
        boolean begun =
                dependencies
                        .database()
                        .transaction(
                                () -> {
                                    Optional<StreamDefinition> stream = enabled(live.stream());
                                    if (stream.isEmpty() || !insert(live)) {
                                        return false;
                                    }
                                    record(EventType.LIVE_STREAM_CONNECTED, stream.get(), live);
                                    record(EventType.LIVE_STREAM_ACTIVE, stream.get(), live);
                                    return true;
                                });
        entry.connected = begun;
        return begun;
    }

    private boolean insert(LiveStream live) {
        Instant at = live.startedAt().orElseGet(dependencies.clock()::instant);
        return dependencies.sessions().start(Session.started(live.session(), live.stream(), at));
    }

    private Optional<StreamDefinition> enabled(StreamId stream) {
        return dependencies.streams().find(stream).filter(it -> !it.disabled());
    }

    /** The encoder has come back; of no effect for the first one. Does not block. */
    void connected(LiveStream live) {
        ifBegun(
                live,
                "connection",
                (entry, stream) -> {
                    if (!entry.connected) {
                        record(EventType.LIVE_STREAM_CONNECTED, stream, live);
                    }
                },
                entry -> entry.connected = true);
    }

    /** The encoder has gone. Does not block. */
    void disconnected(LiveStream live) {
        ifBegun(
                live,
                "disconnection",
                (entry, stream) -> {
                    if (entry.connected) {
                        record(EventType.LIVE_STREAM_DISCONNECTED, stream, live);
                    }
                },
                entry -> entry.connected = false);
    }

    /** The ingest doctor has something to say. Does not block. */
    void warned(LiveStream live, IngestReport.Warning warning) {
        ifBegun(
                live,
                "warning",
                (_, stream) -> {
                    // B-frames cost latency: they are worth a warning in low only.
                    boolean told =
                            stream.settings().latencyMode() == LatencyMode.LOW
                                    || !warning.code().equals(IngestReport.B_FRAMES);
                    if (told) {
                        dependencies.events().warning(stream, live.session(), warning);
                    }
                },
                _ -> {});
    }

    /**
     * The session has ended. Does not block.
     *
     * @param measured what was measured of it, to be asked when it is stored
     */
    void ended(LiveStream live, EndReason reason, Supplier<SessionReport> measured) {
        Instant at = dependencies.clock().instant();
        Entry entry = entries.get(live.session());
        if (entry == null) {
            return;
        }
        steps.add(
                live.stream(),
                new SessionSteps.Step(
                        "end",
                        TRIES,
                        () -> {
                            end(live, entry, at, reason, measured.get());
                            entries.remove(live.session());
                        },
                        () -> entries.remove(live.session())));
    }

    private void end(
            LiveStream live, Entry entry, Instant at, EndReason reason, SessionReport report) {
        dependencies
                .database()
                .transact(
                        () -> {
                            SessionId session = live.session();
                            dependencies.sessions().report(session, report, at);
                            if (!dependencies.sessions().end(session, at, SessionEnd.of(reason))) {
                                return;
                            }
                            dependencies
                                    .streams()
                                    .find(live.stream())
                                    .ifPresent(stream -> tellEnd(stream, entry.connected));
                        });
    }

    /** A stream that was disabled meanwhile is not idle: that has been told. */
    private void tellEnd(StreamDefinition stream, boolean connected) {
        if (connected) {
            dependencies
                    .events()
                    .record(EventType.LIVE_STREAM_DISCONNECTED, stream, Optional.empty());
        }
        if (!stream.disabled()) {
            dependencies.events().record(EventType.LIVE_STREAM_IDLE, stream, Optional.empty());
        }
    }

    /** Ends the sessions that a dead server has left, and tells of it; before anybody publishes. */
    public void closeInterrupted() {
        dependencies
                .database()
                .transact(
                        () -> {
                            for (Session session : dependencies.sessions().closeInterrupted()) {
                                log.warn(
                                        "stream={} session={} was cut off when the server stopped"
                                                + " last",
                                        session.stream(),
                                        session.id());
                                dependencies
                                        .streams()
                                        .find(session.stream())
                                        .ifPresent(stream -> tellEnd(stream, true));
                            }
                        });
    }

    @FunctionalInterface
    private interface Telling {
        void tell(Entry entry, StreamDefinition stream);
    }

    @FunctionalInterface
    private interface Noting {
        void note(Entry entry);
    }

    /**
     * @param note what is known from then on, once it is stored
     */
    private void ifBegun(LiveStream live, String what, Telling telling, Noting note) {
        Entry entry = entries.get(live.session());
        if (entry == null) {
            return;
        }
        steps.add(
                live.stream(),
                new SessionSteps.Step(
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
                                                                                telling.tell(
                                                                                        entry,
                                                                                        stream)));
                                note.note(entry);
                            }
                        },
                        () -> note.note(entry)));
    }

    private void record(EventType type, StreamDefinition stream, LiveStream live) {
        dependencies.events().record(type, stream, Optional.of(live.session()));
    }

    /** Waits until everything is stored, for a while; to be called when all sessions have ended. */
    @Override
    public void close() {
        steps.close();
    }
}
