package touchline.overlay.page;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between tries that double up to a limit, each up to a quarter shorter. One thread. */
final class Backoff {
    private static final double JITTER = 0.25;

    private final long firstNs;
    private final long mostNs;
    private long nextNs;

    Backoff(Duration first, Duration most) {
        this.firstNs = first.toNanos();
        this.mostNs = most.toNanos();
        this.nextNs = firstNs;
    }

    /** The pause before the next try. */
    long nextNs() {
        long pauseNs = nextNs;
        nextNs = Math.min(mostNs, 2 * nextNs);
        return (long) (pauseNs * (1 - JITTER * ThreadLocalRandom.current().nextDouble()));
    }

    /** After something went well for long enough. */
    void reset() {
        nextNs = firstNs;
    }
}
