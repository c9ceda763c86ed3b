package touchline.media.hub;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A programme and its scoreboard push do not start within the same ten seconds: encoders that are
 * switched on together would otherwise race for what the other's first frames look like. The
 * scoreboard gives way, on either side; the programme never notices. A start is the first accepted
 * publish of a session, so a reconnect inside its window is none. Any thread.
 */
final class StartSpacing {
    static final Duration GAP = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;

    StartSpacing(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * @throws StartTooSoonException while that session's start is younger than the gap
     */
    void requirePassedSince(LiveStream other) {
        long leftNs = leftNs(other);
        if (leftNs > 0) {
            throw new StartTooSoonException(other.stream(), Duration.ofNanos(leftNs));
        }
    }

    /** That session's start is younger than the gap. */
    boolean isWithin(LiveStream other) {
        return leftNs(other) > 0;
    }

    private long leftNs(LiveStream other) {
        return GAP.toNanos() - (nanoTime.getAsLong() - other.publishedNs());
    }
}
