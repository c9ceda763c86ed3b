package touchline.api.app;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import touchline.api.db.DatabaseException;

/**
 * The last result of a query, for metrics. It asks the database every few seconds at most, however
 * often the metrics are read. Any thread.
 */
final class DatabaseReading<T> {
    /** Minimum interval of queries. */
    private static final Duration KEPT = Duration.ofSeconds(5);

    private final Function<Instant, T> query;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Instant askedAt = Instant.EPOCH;

    @GuardedBy("lock")
    private Optional<T> last = Optional.empty();

    /**
     * @param query receives the present time
     */
    DatabaseReading(Function<Instant, T> query, InstantSource clock) {
        this.query = query;
        this.clock = clock;
    }

    /** A number of the last result; NaN where the database does not answer. */
    double number(ToDoubleFunction<T> value) {
        lock.lock();
        try {
            Instant now = clock.instant();
            if (Duration.between(askedAt, now).compareTo(KEPT) >= 0) {
                askedAt = now;
                last = asked(now);
            }
            return last.isEmpty() ? Double.NaN : value.applyAsDouble(last.get());
        } finally {
            lock.unlock();
        }
    }

    private Optional<T> asked(Instant now) {
        try {
            return Optional.of(query.apply(now));
        } catch (DatabaseException _) {
            return Optional.empty();
        }
    }
}
