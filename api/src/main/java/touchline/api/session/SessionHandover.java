package touchline.api.session;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.EventType;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.SuspendedSession;
import touchline.media.SessionId;

/**
 * Sessions across a stop of the server, in the database. A planned stop suspends a session whose
 * reconnect window has time left; the next start resumes it. All others end. Blocks; any thread.
 */
public final class SessionHandover {
    private static final Logger log = LoggerFactory.getLogger(SessionHandover.class);

    private final SessionJournal.Dependencies dependencies;

    SessionHandover(SessionJournal.Dependencies dependencies) {
        this.dependencies = dependencies;
    }

    /** Stores that the next start resumes a session; {@code connected}: its encoder was cut. */
    void suspend(SuspendedSession suspended, SessionReport report, boolean connected) {
        Session session = suspended.session();
        Instant at = suspended.interruption().disconnectedAt();
        dependencies
                .database()
                .transact(
                        () -> {
                            dependencies.sessions().report(session.id(), report, at);
                            if (dependencies.sessions().suspend(suspended) && connected) {
                                dependencies
                                        .streams()
                                        .find(session.stream())
                                        .ifPresent(stream -> disconnected(stream, session, at));
                            }
                        });
    }

    private void disconnected(StreamDefinition stream, Session session, Instant at) {
        ActiveSession active = new ActiveSession(session.id(), Optional.of(at));
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
                                dependencies
                                        .sessions()
                                        .closeInterrupted(resumed)
                                        .forEach(this::interrupted));
    }

    private void interrupted(Session session) {
        // The encoder of a suspended session was disconnected at the stop.
        boolean crashed =
                session.end().filter(end -> end.reason() == SessionEnd.INTERRUPTED).isPresent();
        log.warn(
                "stream={} session={} {}",
                session.stream(),
                session.id(),
                crashed
                        ? "was interrupted when the server stopped last"
                        : "has ended: its encoder did not return in time");
        dependencies
                .streams()
                .find(session.stream())
                .ifPresent(stream -> recordEnd(stream, crashed));
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
