package touchline.media.rendition;

import java.util.concurrent.TimeUnit;

/**
 * Detects a publisher that sends faster than real time, such as a file push. Then units wait
 * because there are many, not because the host is slow. One thread.
 */
final class ArrivalPace {
    private static final long AHEAD_US = 1_000_000;

    /** Until the publisher counts as slow again. */
    private static final long CALM_US = 2_000_000;

    private static final long WINDOW_US = 10_000_000;
    private static final long UNKNOWN = Long.MIN_VALUE;

    private long anchorDtsUs = UNKNOWN;
    private long anchorNs;
    private boolean fast;

    /**
     * @param dtsUs decode time of a unit
     * @param arrivedNs its arrival
     */
    void arrived(long dtsUs, long arrivedNs) {
        long wallUs = TimeUnit.NANOSECONDS.toMicros(arrivedNs - anchorNs);
        if (anchorDtsUs == UNKNOWN || wallUs > WINDOW_US || dtsUs < anchorDtsUs) {
            anchorDtsUs = dtsUs;
            anchorNs = arrivedNs;
            return;
        }
        if (dtsUs - anchorDtsUs - wallUs > AHEAD_US) {
            fast = true;
        } else if (wallUs > CALM_US) {
            fast = false;
        }
    }

    boolean isFast() {
        return fast;
    }

    /** A new timeline. */
    void clear() {
        anchorDtsUs = UNKNOWN;
    }
}
