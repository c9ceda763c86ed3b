package touchline.media.hub;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keeps the starts of a programme and its scoreboard push ten seconds apart. Encoders started
 * together would otherwise race for each other's first frames. The scoreboard push is refused or
 * cut; the programme is not affected. A start is the first accepted publish of a session; a
 * reconnect within its window is no start. Any thread.
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
