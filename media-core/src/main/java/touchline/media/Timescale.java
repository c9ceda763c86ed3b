package touchline.media;

/**
 * Ticks per second of a track, with exact conversion to microseconds.
 *
 * <p>Source: ISO/IEC 14496-12, 8.4.2.3. Immutable, any thread.
 *
 * @param ticksPerSecond greater than 0: 90 000 for video, the sample rate for AAC
 */
public record Timescale(int ticksPerSecond) {
    /** Timescale of every video track: one millisecond is exactly 90 ticks. */
    public static final Timescale VIDEO = new Timescale(90_000);

    private static final long US_PER_SECOND = 1_000_000;

    public Timescale {
        if (ticksPerSecond <= 0) {
            throw new IllegalArgumentException("ticksPerSecond: " + ticksPerSecond + " (> 0)");
        }
    }

    /**
     * Rounds towards the past; throws ArithmeticException if the microseconds do not fit a long.
     */
    public long toUs(long ticks) {
        long wholeUs = Math.multiplyExact(Math.floorDiv(ticks, ticksPerSecond), US_PER_SECOND);
        long restUs = Math.floorMod(ticks, ticksPerSecond) * US_PER_SECOND / ticksPerSecond;
        return Math.addExact(wholeUs, restUs);
    }

    /** Rounds to the nearest tick, halves up; throws ArithmeticException on overflow. */
    public long fromUs(long us) {
        long wholeTicks =
                Math.multiplyExact(Math.floorDiv(us, US_PER_SECOND), (long) ticksPerSecond);
        long restTicks =
                (Math.floorMod(us, US_PER_SECOND) * ticksPerSecond + US_PER_SECOND / 2)
                        / US_PER_SECOND;
        return Math.addExact(wholeTicks, restTicks);
    }
}
