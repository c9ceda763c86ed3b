package touchline.api.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.SessionRepository;
import touchline.api.domain.Session;
import touchline.api.domain.SuspendedSession;
import touchline.media.StreamId;

/**
 * Continues sessions that this process did not begin: those that the last stop of the server has
 * left open, and those of other servers, whose encoder is at the door of this one. Blocks; any
 * thread.
 */
final class SessionResumer {
    private static final Logger log = LoggerFactory.getLogger(SessionResumer.class);

    private static final Duration SHOWN = Duration.ofSeconds(5);

    private final SessionRepository sessions;
    private final StreamAdmission admission;
    private final InstantSource clock;
    private final Function<ContinuedSession, LiveSession> starter;

    /** Held from the taking of a resumption until its session is there. */
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * @param starter starts a session, which waits for its encoder; does not block
     */
    SessionResumer(
            SessionRepository sessions,
            StreamAdmission admission,
            InstantSource clock,
            Function<ContinuedSession, LiveSession> starter) {
        this.sessions = sessions;
        this.admission = admission;
        this.clock = clock;
        this.starter = starter;
    }

    /** Viewers find the sessions when this returns. */
    void resume(List<SuspendedSession> suspended) {
        List<LiveSession> resumed = new ArrayList<>();
        suspended.forEach(each -> resumed.add(starter.apply(ContinuedSession.of(each))));
        long deadlineNs = System.nanoTime() + SHOWN.toNanos();
        try {
            for (LiveSession each : resumed) {
                Duration left = Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime()));
                if (!each.awaitShown(left)) {
                    log.warn("session={} is not shown yet; the start continues", each.id());
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A publisher is admitted. When this returns, the session that it goes on with is there, also
     * for a second publisher that was admitted at the same time.
     *
     * @param reconnectWindow of the stream
     */
    void admitted(StreamId stream, Duration reconnectWindow) {
        lock.lock();
        try {
            Optional<Resumption> resumption = admission.resumption(stream);
            if (resumption.isPresent()) {
                resume(resumption.get(), reconnectWindow);
            }
        } finally {
            lock.unlock();
        }
    }

    private void resume(Resumption resumption, Duration reconnectWindow) {
        Optional<Session> stored =
                sessions.find(resumption.session()).filter(each -> each.end().isEmpty());
        if (stored.isEmpty()) {
            log.warn("session={} has ended and is not resumed", resumption.session());
            return;
        }
        Instant now = clock.instant();
        LiveSession resumed =
                starter.apply(ContinuedSession.of(resumption, stored.get(), reconnectWindow, now));
        log.info(
                "stream={} session={} of another server goes on with segment {}, init {}; its"
                        + " encoder was away since {}",
                resumed.stream(),
                resumed.id(),
                resumption.firstMediaSequence(),
                resumption.firstInit(),
                resumption.disconnectedAt());
    }
}
