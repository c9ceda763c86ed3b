package touchline.media.worker;

import java.time.Duration;

/**
 * How long a crashed process stays away: twice as long after each crash, and short again after a
 * process that lived for a while. Guarded by its owner.
 */
public final class RestartPause {
    private static final long HEALTHY_NS = Duration.ofSeconds(30).toNanos();

    private final long shortestNs;
    private final long longestNs;
    private long pauseNs;
    private long untilNs;

    public RestartPause(Duration shortest, Duration longest) {
        this.shortestNs = shortest.toNanos();
        this.longestNs = longest.toNanos();
    }

    /**
     * @param livedNs time from the process's start to its crash
     */
    public void crashed(long livedNs, long nowNs) {
        boolean first = pauseNs == 0 || livedNs >= HEALTHY_NS;
        pauseNs = first ? shortestNs : Math.min(longestNs, 2 * pauseNs);
        untilNs = nowNs + pauseNs;
    }

    /** Returns the time until the next start; 0: now. */
    public long leftNs(long nowNs) {
        return pauseNs == 0 ? 0 : Math.max(0, untilNs - nowNs);
    }
}
