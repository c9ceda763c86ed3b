package touchline.media.ffmpeg;

import touchline.media.Timescale;

/**
 * Frames per second as a fraction. Immutable, any thread.
 *
 * @param numerator greater than 0
 * @param denominator greater than 0
 */
public record FrameRate(int numerator, int denominator) {
    public FrameRate {
        if (numerator <= 0 || denominator <= 0) {
            throw new IllegalArgumentException(
                    "frame rate: " + numerator + "/" + denominator + " (both > 0)");
        }
    }

    public static FrameRate of(int framesPerSecond) {
        return new FrameRate(framesPerSecond, 1);
    }

    /**
     * Returns the presentation time of frame {@code index}, counted from 0, in ticks of 1/90 000 s,
     * rounded down.
     */
    public long ticksOf(long index) {
        long scaled = Math.multiplyExact(index, (long) denominator);
        return Math.floorDiv(
                Math.multiplyExact(scaled, Timescale.VIDEO.ticksPerSecond()), (long) numerator);
    }

    public double perSecond() {
        return (double) numerator / denominator;
    }
}
