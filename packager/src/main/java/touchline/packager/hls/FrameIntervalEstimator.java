package touchline.packager.hls;

import java.util.OptionalLong;
import touchline.media.Timescale;

/**
 * The step from unit to unit of a track, where it is steady: the last {@value #STEPS} steps differ
 * by no more than the millisecond to which publishers round. Of what {@code touchline.media.hub}
 * has put on a grid they differ by a tick at most. One thread.
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

    /** Decode time of a unit less that of the one before. */
    void add(long ticks) {
        steps[(int) (count++ % STEPS)] = ticks;
    }

    /**
     * The shortest of the last steps, so that what is predicted with it does not lie behind the
     * next unit; empty where the track is not steady.
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
