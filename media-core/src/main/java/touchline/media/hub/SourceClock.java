package touchline.media.hub;

import touchline.media.AccessUnit;

/**
 * The clock of one publisher: how its timestamps relate to the time of arrival. The unit that was
 * least delayed within the last {@value #BLOCK_US} to twice as many microseconds counts. Guarded by
 * its session.
 */
final class SourceClock {
    private static final long BLOCK_US = 5_000_000;

    /** Timestamps that move by more are those of another clock. */
    private static final long JUMP_US = 2_000_000;

    private boolean running;
    private long newestUs;
    private long blockStartUs;
    private long leastUs;
    private long leastBeforeUs;

    /**
     * A unit with the publisher's timestamps.
     *
     * @return whether it is the first of a new clock
     */
    boolean arrived(AccessUnit unit, long nowNs) {
        long nowUs = nowNs / 1_000;
        long delayUs = nowUs - unit.dtsUs();
        boolean starts = !running || Math.abs(unit.dtsUs() - newestUs) > JUMP_US;
        newestUs = unit.dtsUs();
        if (starts) {
            running = true;
            blockStartUs = nowUs;
            leastUs = delayUs;
            leastBeforeUs = delayUs;
        } else if (nowUs - blockStartUs > BLOCK_US) {
            leastBeforeUs = leastUs;
            leastUs = delayUs;
            blockStartUs = nowUs;
        } else {
            leastUs = Math.min(leastUs, delayUs);
        }
        return starts;
    }

    /** Another publisher sends: nothing is known of its clock. */
    void restart() {
        running = false;
    }

    /** Time of arrival less timestamp, of the least delayed unit. */
    long delayUs() {
        return Math.min(leastUs, leastBeforeUs);
    }

    boolean isRunning() {
        return running;
    }
}
