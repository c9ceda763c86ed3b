package touchline.media.hub;

import java.util.OptionalLong;

/**
 * Removes jitter from audio timestamps: each frame begins where the one before ends, although the
 * publisher rounds its timestamps to milliseconds. One thread.
 *
 * <p>The publisher's timestamps differ from this grid by rounding and jitter, which have a mean of
 * zero and are ignored. A mean other than zero is drift between the audio device and the encoder's
 * clock; the grid follows it one millisecond at a time. Timestamps ahead of the grid by about a
 * frame mean lost audio: the gap stays. Timestamps far behind mean repeated audio: it is dropped
 * until the grid is reached again.
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
     * @param rawTicks the publisher's timestamp
     * @param durationTicks of the frame, greater than 0
     * @return where the frame begins; empty if the frame is dropped
     */
    OptionalLong place(long rawTicks, long durationTicks) {
        if (!running) {
            running = true;
            return placed(rawTicks, durationTicks);
        }
        long difference = rawTicks - nextTicks;
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

    /** Sum of all drift corrections; gaps are not counted. */
    long shiftedTicks() {
        return shiftedTicks;
    }

    /** Whole frames if that agrees with the publisher's timestamps, so that the grid stays. */
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
