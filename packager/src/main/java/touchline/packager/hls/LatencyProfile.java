package touchline.packager.hls;

import java.time.Duration;

/**
 * How long parts and segments are, by latency mode. Immutable, any thread.
 *
 * @param listsParts low-latency HLS: the playlist lists parts
 * @param segmentTargetUs a segment ends at the first key frame from here on, or close before
 * @param partTargetUs no part is longer, except a part of a single longer frame
 * @param minTargetDurationS smallest EXT-X-TARGETDURATION, in seconds
 * @param maxTargetDurationS largest EXT-X-TARGETDURATION, in seconds
 * @param leastPartHoldBackUs PART-HOLD-BACK where three parts are less
 */
public record LatencyProfile(
        boolean listsParts,
        long segmentTargetUs,
        long partTargetUs,
        int minTargetDurationS,
        int maxTargetDurationS,
        long leastPartHoldBackUs) {
    private static final long US_PER_SECOND = 1_000_000;
    private static final long US_PER_MS = 1_000;

    /**
     * A player that notices a slow part plays on while it loads another playlist, an init segment
     * and a part of a smaller rendition.
     */
    private static final long CHANGE_US = 2 * US_PER_SECOND;

    /**
     * EXTINF is compared with EXT-X-TARGETDURATION in whole seconds (RFC 8216, 4.3.3.1), and listed
     * in whole milliseconds.
     */
    private static final long ROUNDING_US = US_PER_SECOND / 2 - US_PER_MS;

    /** For rates whose sums of frames are not exact, such as 30000/1001. */
    private static final double EXACT = 1e-6;

    private static final Duration MIN_PART = Duration.ofMillis(100);
    private static final Duration MAX_PART = Duration.ofSeconds(1);

    /** Mode {@code standard}: segments of 4 s and more, made of unlisted parts of 1 s. */
    public static LatencyProfile standard() {
        return new LatencyProfile(false, 4 * US_PER_SECOND, US_PER_SECOND, 4, 12, 0);
    }

    /**
     * Mode {@code low}: segments of 2 s and more, made of listed parts.
     *
     * @param part longest part, 100 ms to 1 s
     */
    public static LatencyProfile low(Duration part) {
        if (part.compareTo(MIN_PART) < 0 || part.compareTo(MAX_PART) > 0) {
            throw new IllegalArgumentException(
                    "part: " + part + " (expected: " + MIN_PART + " to " + MAX_PART + ")");
        }
        return new LatencyProfile(true, 2 * US_PER_SECOND, part.toNanos() / 1_000, 6, 6, 0);
    }

    /** The same for a stream of which players choose a rendition. */
    public LatencyProfile withRenditions() {
        return new LatencyProfile(
                listsParts,
                segmentTargetUs,
                partTargetUs,
                minTargetDurationS,
                maxTargetDurationS,
                CHANGE_US);
    }

    /** EXT-X-TARGETDURATION of a session with a first segment of this duration. */
    public int targetDurationS(long firstSegmentUs) {
        return Math.clamp(wholeSeconds(firstSegmentUs), minTargetDurationS, maxTargetDurationS);
    }

    /**
     * What EXT-X-TARGETDURATION has to be for a segment, which may be listed a millisecond longer.
     */
    static long wholeSeconds(long segmentUs) {
        return (segmentUs + US_PER_SECOND - ROUNDING_US - 1) / US_PER_SECOND;
    }

    /** The longest segment that EXT-X-TARGETDURATION allows. */
    public long longestSegmentUs(int targetDurationS) {
        return targetDurationS * US_PER_SECOND + ROUNDING_US;
    }

    /**
     * PART-TARGET of a session: the longest duration of whole units that is not above the
     * configured one, at least one unit. In whole milliseconds, to which publishers round.
     *
     * @param unitUs nominal duration of a unit of the leading track
     */
    public long partTargetUs(double unitUs) {
        double units = Math.max(1, Math.floor(partTargetUs / unitUs + EXACT));
        long roundedUpUs = (long) Math.ceil(units * unitUs / US_PER_MS - EXACT) * US_PER_MS;
        return units * unitUs > partTargetUs + 1
                ? roundedUpUs
                : Math.min(roundedUpUs, partTargetUs);
    }
}
