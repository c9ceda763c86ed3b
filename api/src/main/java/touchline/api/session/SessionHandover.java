package touchline.api.session;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Epoch;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.EventType;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.SuspendedSession;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * Sessions across a stop of the server, in the database. A planned stop suspends a session whose
 * reconnect window has time left; the next start resumes it. All others end. Blocks; any thread.
 */
public final class SessionHandover {
    private static final Logger log = LoggerFactory.getLogger(SessionHandover.class);

    private final SessionJournal.Dependencies dependencies;
    private final AuditRunRepository audits;

    SessionHandover(SessionJournal.Dependencies dependencies) {
        this.dependencies = dependencies;
        this.audits = new AuditRunRepository(dependencies.database());
    }

    /** Stores that the next start resumes a session. */
    void suspend(SuspendedSession suspended, SessionReport report, JournalEntry entry) {
        Session session = suspended.session();
        Instant at = suspended.interruption().disconnectedAt();
        dependencies
                .database()
                .transact(
                        () -> {
                            dependencies.sessions().report(session.id(), report, at, entry.epoch);
                            boolean stored =
                                    dependencies
                                            .sessions()
                                            .suspend(
                                                    suspended,
                                                    entry.epoch,
                                                    dependencies
                                                            .admission()
                                                            .release(session.stream()));
                            // Then its encoder was cut.
                            if (stored && entry.connected) {
                                dependencies
                                        .streams()
                                        .find(session.stream())
                                        .ifPresent(
                                                stream -> disconnected(stream, session.id(), at));
                            }
                        });
    }

    private void disconnected(StreamDefinition stream, SessionId session, Instant at) {
        ActiveSession active = new ActiveSession(session, Optional.of(at));
        dependencies
                .events()
                .record(EventType.LIVE_STREAM_DISCONNECTED, stream, Optional.of(active));
    }

    /**
     * Ends the other sessions of an earlier process. Called before the first publisher is admitted.
     *
     * @param resumed sessions that continue
     */
    public void closeInterrupted(Set<SessionId> resumed) {
        dependencies
                .database()
                .transact(
                        () ->
                                ended(
                                        dependencies.sessions().closeInterrupted(resumed),
                                        // A suspended session's encoder was cut by the stop.
                                        SessionHandover::crashed));
    }

    /**
     * Ends what the last owner of a stream has left open. Belongs into the transaction that takes
     * the stream.
     *
     * @param connected whether its encoder is connected, as far as events say
     */
    public void closeAbandoned(StreamId stream, boolean connected) {
        dependencies
                .database()
                .transact(
                        () ->
                                ended(
                                        dependencies.sessions().closeAbandoned(stream),
                                        _ -> connected));
    }

    /**
     * This node goes on with a session of another one. Belongs into the transaction that takes the
     * stream.
     *
     * @param connected as above
     * @param at when its encoder was disconnected
     */
    public void takeOver(Epoch epoch, SessionId session, boolean connected, Instant at) {
        dependencies
                .database()
                .transact(
                        () -> {
                            boolean _ = dependencies.sessions().takenOver(session, epoch);
                            audits.closeOf(List.of(session), at);
                            if (connected) {
                                dependencies
                                        .streams()
                                        .find(epoch.stream())
                                        .ifPresent(each -> disconnected(each, session, at));
                            }
                        });
    }

    private void ended(List<Session> closed, Predicate<Session> connected) {
        closed.forEach(session -> interrupted(session, connected.test(session)));
        audits.closeOf(closed.stream().map(Session::id).toList(), dependencies.clock().instant());
    }

    private static boolean crashed(Session session) {
        return session.end().filter(end -> end.reason() == SessionEnd.INTERRUPTED).isPresent();
    }

    private void interrupted(Session session, boolean connected) {
        log.warn(
                "stream={} session={} {}",
                session.stream(),
                session.id(),
                crashed(session)
                        ? "was interrupted when its server stopped last"
                        : "has ended: its encoder did not return in time");
        dependencies
                .streams()
                .find(session.stream())
                .ifPresent(stream -> recordEnd(stream, connected));
    }

    /** A stream that was disabled meanwhile is not idle. It has its own event. */
    void recordEnd(StreamDefinition stream, boolean connected) {
        if (connected) {
            dependencies
                    .events()
                    .record(EventType.LIVE_STREAM_DISCONNECTED, stream, Optional.empty());
        }
        if (!stream.disabled()) {
            dependencies.events().record(EventType.LIVE_STREAM_IDLE, stream, Optional.empty());
        }
    }
}
