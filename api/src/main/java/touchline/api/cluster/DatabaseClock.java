package touchline.api.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of the database, which all nodes share: it goes on by this node's monotonic clock
 * between two readings, so that a wrong or corrected clock of a host does not matter. Any thread.
 */
public final class DatabaseClock implements InstantSource {
    private final LongSupplier nanoTime;

    /** Volatile: one thread publishes an immutable record, all others read it. */
    private volatile Reading newest;

    private record Reading(Instant time, long atNs) {}

    /**
     * @param first a time of the database, or of this host until the first reading
     * @param nanoTime a monotonic clock
     */
    public DatabaseClock(Instant first, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.newest = new Reading(first, nanoTime.getAsLong());
    }

    /** A time that the database has just given. */
    void read(Instant time) {
        newest = new Reading(time, nanoTime.getAsLong());
    }

    /** The newest time that the database has given. */
    public Instant newest() {
        return newest.time();
    }

    @Override
    public Instant instant() {
        Reading read = newest;
        return read.time().plus(Duration.ofNanos(nanoTime.getAsLong() - read.atNs()));
    }
}
