package touchline.api.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import touchline.api.access.AccessTokens;
import touchline.api.access.SigningKeys;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.IdempotencyRepository;
import touchline.api.db.MarkerRepository;
import touchline.api.db.StreamRepository;
import touchline.api.session.SessionHandover;
import touchline.media.SessionId;

/**
 * Cleans up after an earlier process, once. Deletes expired rows every few minutes, and stores the
 * last uses of credentials every minute, on virtual threads, until it is closed.
 */
public final class Housekeeping implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final Duration USES_EVERY = Duration.ofMinutes(1);
    private static final Duration TOKENS_KEPT = Duration.ofDays(30);
    private static final int ROWS_AT_ONCE = 1_000;

    private final IdempotencyRepository replies;
    private final AccessTokens tokens;
    private final SigningKeys keys;
    private final MarkerRepository markers;
    private final InstantSource clock;
    private final PeriodicTask task = new PeriodicTask("housekeeping", EVERY, this::deleteExpired);
    private final HeapReturn heap = new HeapReturn();
    private final PeriodicTask uses = new PeriodicTask("last uses", USES_EVERY, this::writeUses);

    public Housekeeping(
            Database database, AccessTokens tokens, SigningKeys keys, InstantSource clock) {
        this.replies = new IdempotencyRepository(database);
        this.tokens = tokens;
        this.keys = keys;
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
        if (!audits.isOfNode()) {
            audits.closeInterrupted(now);
        }
    }

    public void start() {
        task.start();
        uses.start();
        heap.start();
    }

    /** Stores the last uses once more. */
    @Override
    public void close() {
        task.close();
        uses.close();
        heap.close();
        writeUses();
    }

    private void deleteExpired() {
        replies.deleteExpired(clock.instant(), ROWS_AT_ONCE);
        tokens.deleteExpired(clock.instant().minus(TOKENS_KEPT), ROWS_AT_ONCE);
        markers.deleteOrphans(ROWS_AT_ONCE);
    }

    private void writeUses() {
        tokens.writeUses();
        keys.writeUses();
    }
}
