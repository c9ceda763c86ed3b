package touchline.media.hub;

import java.util.OptionalLong;

/**
 * How far audio has moved against the frames since a timeline began: its smoothed lag on arrival,
 * less the lag of the first seconds. Media microseconds. Guarded by its owner.
 */
final class AudioLag {
    private static final long SETTLED_US = 5_000_000;
    private static final double WEIGHT = 0.01;

    private long startUs;
    private double lagUs;
    private double settledUs;
    private boolean settled;

    /** A timeline begins. */
    void reset(long startsUs) {
        startUs = startsUs;
        lagUs = 0;
        settled = false;
    }

    /** Audio has come behind this frame. */
    void add(long audioUs, long frameUs) {
        double nowUs = frameUs - audioUs;
        lagUs = lagUs == 0 ? nowUs : lagUs + (nowUs - lagUs) * WEIGHT;
        if (!settled && audioUs - startUs >= SETTLED_US) {
            settled = true;
            settledUs = lagUs;
        }
    }

    /** Positive: audio comes later than at the beginning. Empty in the first seconds. */
    OptionalLong driftUs() {
        return settled ? OptionalLong.of((long) (lagUs - settledUs)) : OptionalLong.empty();
    }
}
