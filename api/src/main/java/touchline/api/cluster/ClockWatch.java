package touchline.api.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.ClockDifference;

/**
 * Compares the clock of this host with the time of the database at each heartbeat, and logs when it
 * becomes wrong, and when it is right again. The thread of the lease measures, any thread asks.
 */
final class ClockWatch {
    private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);

    /** The database's time has milliseconds. */
    private static final Duration RESOLUTION = Duration.ofMillis(1);

    private final InstantSource clock;
    private final LongSupplier nanoTime;

    // Owned by the thread of the lease.
    private Instant sentAt;
    private long sentAtNs;
    private boolean wrong;

    /** Volatile: one thread publishes an immutable record. */
    private volatile @Nullable ClockDifference newest;

    /**
     * @param clock of this host
     * @param nanoTime a monotonic clock
     */
    ClockWatch(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.sentAt = clock.instant();
    }

    /** A heartbeat is about to be sent. */
    void sent() {
        sentAtNs = nanoTime.getAsLong();
        sentAt = clock.instant();
    }

    /**
     * The answer to the heartbeat that was sent last has come.
     *
     * @param databaseMs a time of the database in between, Unix milliseconds
     */
    void answered(long databaseMs) {
        Duration half = Duration.between(sentAt, clock.instant()).dividedBy(2);
        // In a suspended host one of both clocks stands still.
        long roundTripNs =
                Math.max(2 * half.abs().toNanos(), Math.abs(nanoTime.getAsLong() - sentAtNs));
        ClockDifference measured =
                new ClockDifference(
                        Duration.between(Instant.ofEpochMilli(databaseMs), sentAt.plus(half)),
                        Duration.ofNanos(roundTripNs / 2).plus(RESOLUTION));
        newest = measured;
        if (!wrong && measured.isWrong()) {
            wrong = true;
            log.warn(
                    "the clock of this host is {} ms {} the database: dates in playlists and the"
                            + " expiry of tokens are wrong here, and relays may be refused:"
                            + " synchronize both, for example with chrony",
                    measured.ahead().abs().toMillis(),
                    measured.ahead().isNegative() ? "behind" : "ahead of");
        } else if (wrong && measured.isRight()) {
            wrong = false;
            log.info(
                    "the clock of this host is right again: {} ms from the database",
                    measured.ahead().abs().toMillis());
        }
    }

    /** By the newest heartbeat; empty before the first. */
    Optional<ClockDifference> newest() {
        return Optional.ofNullable(newest);
    }
}
