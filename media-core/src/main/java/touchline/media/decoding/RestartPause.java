package touchline.media.decoding;

import java.time.Duration;

/**
 * How long a crashed child stays away: twice as long after each crash, and short again after a
 * child that lived for a while. Guarded by its owner.
 */
final class RestartPause {
    private static final long SHORTEST_NS = Duration.ofMillis(250).toNanos();
    private static final long LONGEST_NS = Duration.ofSeconds(10).toNanos();
    private static final long HEALTHY_NS = Duration.ofSeconds(30).toNanos();

    private long pauseNs;
    private long untilNs;

    /**
     * @param livedNs time from the child's start to its crash
     */
    void crashed(long livedNs, long nowNs) {
        boolean first = pauseNs == 0 || livedNs >= HEALTHY_NS;
        pauseNs = first ? SHORTEST_NS : Math.min(LONGEST_NS, 2 * pauseNs);
        untilNs = nowNs + pauseNs;
    }

    /** Returns the time until the next start; 0: now. */
    long leftNs(long nowNs) {
        return pauseNs == 0 ? 0 : Math.max(0, untilNs - nowNs);
    }
}
