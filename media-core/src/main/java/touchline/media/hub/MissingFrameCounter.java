package touchline.media.hub;

import java.util.Arrays;

/**
 * Counts frames that a steady rate would have and that have not come. The rate is that of the
 * median interval. Media microseconds, decode order. Guarded by its owner.
 */
final class MissingFrameCounter {
    /** Intervals that are judged together at most. */
    private static final int MAX_INTERVALS = 600;

    /** Fewer of them say nothing about the rate: the one of before is taken. */
    private static final int FEW = 8;

    /** Frames further apart have stopped and come back: none of them is missing. */
    private static final long LONGEST_US = 10_000_000;

    private static final long NEVER = Long.MIN_VALUE;

    private final long[] intervalsUs = new long[MAX_INTERVALS];
    private int intervals;
    private long lastUs = NEVER;
    private long medianUs;

    /** A timeline begins. */
    void begin() {
        lastUs = NEVER;
    }

    void add(long dtsUs) {
        long sinceUs = dtsUs - lastUs;
        if (lastUs != NEVER && sinceUs > 0 && sinceUs <= LONGEST_US && intervals < MAX_INTERVALS) {
            intervalsUs[intervals++] = sinceUs;
        }
        lastUs = dtsUs;
    }

    /** The frames that are missing since the last call. */
    int take() {
        if (intervals >= FEW) {
            Arrays.sort(intervalsUs, 0, intervals);
            medianUs = intervalsUs[intervals / 2];
        }
        long missing = 0;
        for (int i = 0; i < intervals && medianUs > 0; i++) {
            missing += Math.max(0, Math.round((double) intervalsUs[i] / medianUs) - 1);
        }
        intervals = 0;
        return Math.toIntExact(missing);
    }
}
