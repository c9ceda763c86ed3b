package touchline.api.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.IdempotencyRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.TokenRepository;

/**
 * Puts in order what an earlier process has left, once, and takes away what has expired, every few
 * minutes on a virtual thread until it is closed.
 */
public final class Housekeeping implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final Duration TOKENS_KEPT = Duration.ofDays(30);
    private static final int ROWS_AT_ONCE = 1_000;

    private final IdempotencyRepository replies;
    private final TokenRepository tokens;
    private final InstantSource clock;
    private final CountDownLatch stopping = new CountDownLatch(1);

    public Housekeeping(
            IdempotencyRepository replies, TokenRepository tokens, InstantSource clock) {
        this.replies = replies;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * Before anything is served: keys under an old master key are sealed anew, and sessions that
     * were cut off are closed, with their audit runs.
     */
    public static void afterStart(
            StreamRepository streams,
            SessionJournal ledger,
            AuditRunRepository audits,
            Instant now) {
        streams.resealStaleKeys();
        ledger.closeInterrupted();
        audits.closeInterrupted(now);
    }

    public void start() {
        Thread.ofVirtual().name("housekeeping").start(this::run);
    }

    @Override
    public void close() {
        stopping.countDown();
    }

    private void run() {
        try {
            do {
                takeAway();
            } while (!stopping.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void takeAway() {
        try {
            replies.deleteExpired(clock.instant(), ROWS_AT_ONCE);
            tokens.deleteExpired(clock.instant().minus(TOKENS_KEPT), ROWS_AT_ONCE);
        } catch (RuntimeException e) {
            log.warn("expired rows could not be deleted: {}", e.getMessage());
        }
    }
}
