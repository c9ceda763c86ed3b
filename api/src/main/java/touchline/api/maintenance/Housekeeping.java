package touchline.api.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.IdempotencyRepository;
import touchline.api.db.MarkerRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.TokenRepository;
import touchline.api.session.SessionHandover;
import touchline.media.SessionId;

/**
 * Cleans up after an earlier process, once. Deletes expired rows every few minutes on a virtual
 * thread, until it is closed.
 */
public final class Housekeeping implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final Duration TOKENS_KEPT = Duration.ofDays(30);
    private static final int ROWS_AT_ONCE = 1_000;

    private final IdempotencyRepository replies;
    private final TokenRepository tokens;
    private final MarkerRepository markers;
    private final InstantSource clock;
    private final PeriodicTask task = new PeriodicTask("housekeeping", EVERY, this::deleteExpired);

    public Housekeeping(Database database, InstantSource clock) {
        this.replies = new IdempotencyRepository(database);
        this.tokens = new TokenRepository(database);
        this.markers = new MarkerRepository(database);
        this.clock = clock;
    }

    /**
     * Called before the first request. Seals keys of an old master key again, and ends interrupted
     * sessions with their audit runs.
     *
     * @param resumed sessions that continue
     */
    public static void afterStart(
            StreamRepository streams,
            SessionHandover sessions,
            Set<SessionId> resumed,
            AuditRunRepository audits,
            Instant now) {
        streams.resealStaleKeys();
        sessions.closeInterrupted(resumed);
        audits.closeInterrupted(now);
    }

    public void start() {
        task.start();
    }

    @Override
    public void close() {
        task.close();
    }

    private void deleteExpired() {
        replies.deleteExpired(clock.instant(), ROWS_AT_ONCE);
        tokens.deleteExpired(clock.instant().minus(TOKENS_KEPT), ROWS_AT_ONCE);
        markers.deleteOrphans(ROWS_AT_ONCE);
    }
}
