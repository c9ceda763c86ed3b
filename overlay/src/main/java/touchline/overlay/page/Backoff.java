package touchline.overlay.page;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between restarts. Each is twice the one before, up to a limit; a run that stays healthy
 * for long enough starts over at the first pause. Each pause is shortened by up to a quarter at
 * random. One thread at a time.
 */
public final class Backoff {
    private static final double JITTER = 0.25;

    private final long firstNs;
    private final long longestNs;
    private final long healthyNs;
    private long nextNs;

    /**
     * @param healthy a run that lasts longer than this resets the pause
     */
    public Backoff(Duration first, Duration longest, Duration healthy) {
        this.firstNs = first.toNanos();
        this.longestNs = longest.toNanos();
        this.healthyNs = healthy.toNanos();
        this.nextNs = firstNs;
    }

    /**
     * The pause before the next start.
     *
     * @param ranNs how long the run lasted that failed now
     */
    public long nextNs(long ranNs) {
        long pauseNs = ranNs > healthyNs ? firstNs : nextNs;
        nextNs = Math.min(longestNs, 2 * pauseNs);
        return (long) (pauseNs * (1 - JITTER * ThreadLocalRandom.current().nextDouble()));
    }
}
