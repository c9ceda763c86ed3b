package touchline.media.hub;

import java.util.OptionalLong;

/**
 * Puts frames of audio on their own grid: each begins where the one before ends, although the
 * publisher rounds its times to milliseconds. One thread.
 *
 * <p>What the publisher says and what the grid says may differ by rounding and by jitter; both have
 * a mean of zero and are passed over. A mean that is not zero is drift between the audio card and
 * the encoder's clock, and is followed a millisecond at a time. Times ahead of the grid by about a
 * frame mean that audio was lost: the difference is inserted. Times far behind it mean that audio
 * came twice: it is dropped until the grid is reached again.
 */
final class AudioTimestampSmoother {
    /** Weight of a frame in the running mean of the difference: about 0.7 s of AAC. */
    private static final double WEIGHT = 1.0 / 32;

    private final int ticksPerSecond;
    private boolean running;
    private long nextTicks;
    private double meanTicks;
    private long shiftedTicks;

    AudioTimestampSmoother(int ticksPerSecond) {
        this.ticksPerSecond = ticksPerSecond;
    }

    /**
     * @param toldTicks what the publisher says
     * @param durationTicks of the frame, greater than 0
     * @return where the frame begins; empty where it is to be dropped
     */
    OptionalLong place(long toldTicks, long durationTicks) {
        if (!running) {
            running = true;
            return placed(toldTicks, durationTicks);
        }
        long difference = toldTicks - nextTicks;
        if (difference > durationTicks * 3 / 4) {
            meanTicks = 0;
            return placed(nextTicks + gap(difference, durationTicks), durationTicks);
        }
        if (difference < -ticks(100)) {
            return OptionalLong.empty();
        }
        meanTicks += (difference - meanTicks) * WEIGHT;
        long shift = 0;
        if (Math.abs(meanTicks) > ticks(2)) {
            long step = Math.min(ticks(1), durationTicks / 4);
            shift = meanTicks > 0 ? step : -step;
            meanTicks -= shift;
            shiftedTicks += shift;
        }
        return placed(nextTicks + shift, durationTicks);
    }

    /** What following the drift has added up to; gaps are not counted. */
    long shiftedTicks() {
        return shiftedTicks;
    }

    /** Whole frames where that agrees with what was told, so that the grid itself is kept. */
    private long gap(long difference, long durationTicks) {
        long frames = Math.round((double) difference / durationTicks);
        long whole = frames * durationTicks;
        return Math.abs(difference - whole) <= ticks(2) ? whole : difference;
    }

    private OptionalLong placed(long ticks, long durationTicks) {
        nextTicks = ticks + durationTicks;
        return OptionalLong.of(ticks);
    }

    private long ticks(int ms) {
        return (long) ticksPerSecond * ms / 1_000;
    }
}
