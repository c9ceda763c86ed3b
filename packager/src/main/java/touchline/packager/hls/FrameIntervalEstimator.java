package touchline.packager.hls;

import java.util.OptionalLong;
import touchline.media.Timescale;

/**
 * Estimates the interval between units of a track, if it is steady: the last {@value #STEPS}
 * intervals differ by at most one millisecond, to which publishers round. Timestamps smoothed by
 * {@code touchline.media.hub} differ by one tick at most. One thread.
 */
final class FrameIntervalEstimator {
    private static final int STEPS = 8;
    private static final int TICKS_OF_A_MILLISECOND = 1_000;

    private final long toleranceTicks;
    private final long[] steps = new long[STEPS];
    private long count;

    FrameIntervalEstimator(Timescale timescale) {
        this.toleranceTicks = Math.max(1, timescale.ticksPerSecond() / TICKS_OF_A_MILLISECOND);
    }

    /** Difference of the decode times of two consecutive units. */
    void add(long ticks) {
        steps[(int) (count++ % STEPS)] = ticks;
    }

    /**
     * The shortest of the last intervals, so that a predicted end does not lie behind the next
     * unit; empty if the track is not steady.
     */
    OptionalLong stepTicks() {
        if (count < STEPS) {
            return OptionalLong.empty();
        }
        long least = Long.MAX_VALUE;
        long greatest = 0;
        for (long step : steps) {
            least = Math.min(least, step);
            greatest = Math.max(greatest, step);
        }
        return greatest - least > toleranceTicks ? OptionalLong.empty() : OptionalLong.of(least);
    }

    void clear() {
        count = 0;
    }
}
