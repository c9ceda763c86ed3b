package touchline.media.hub;

/**
 * What a session's publishers sent in one step of the clock. Immutable, any thread.
 *
 * @param atMs end of the step, Unix milliseconds
 * @param videoBitrateBps payload as it arrived, bits a second
 * @param audioBitrateBps likewise
 * @param frameRate frames that arrived, a second
 * @param keyFrameIntervalUs longest distance between two key frames of which the later arrived in
 *     the step; without one, since the last key frame; {@link #NONE} without video
 * @param driftUs audio against the frames since the timeline began, positive where audio comes
 *     later; {@link #NONE} where it is not known
 * @param missingFrames frames that the steady rate of the others leaves out
 */
public record HealthSample(
        long atMs,
        long videoBitrateBps,
        long audioBitrateBps,
        double frameRate,
        long keyFrameIntervalUs,
        long driftUs,
        int missingFrames) {
    /** No value. */
    public static final long NONE = Long.MIN_VALUE;
}
