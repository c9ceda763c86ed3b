package touchline.packager.hls;

import java.time.Duration;

/**
 * How long parts and segments are, by latency mode. Immutable, any thread.
 *
 * @param listsParts low-latency HLS: the playlist lists parts
 * @param segmentTargetUs a segment ends at the first key frame from here on
 * @param partTargetUs no part is longer, except a part of a single longer frame
 * @param minTargetDurationS smallest EXT-X-TARGETDURATION, in seconds
 * @param maxTargetDurationS largest EXT-X-TARGETDURATION, in seconds
 */
public record LatencyProfile(
        boolean listsParts,
        long segmentTargetUs,
        long partTargetUs,
        int minTargetDurationS,
        int maxTargetDurationS) {
    private static final long US_PER_SECOND = 1_000_000;
    private static final Duration MIN_PART = Duration.ofMillis(100);
    private static final Duration MAX_PART = Duration.ofSeconds(1);

    /** Mode {@code standard}: segments of 4 s and more, made of unlisted parts of 1 s. */
    public static LatencyProfile standard() {
        return new LatencyProfile(false, 4 * US_PER_SECOND, US_PER_SECOND, 6, 12);
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
        return new LatencyProfile(true, 2 * US_PER_SECOND, part.toNanos() / 1_000, 6, 6);
    }

    /** EXT-X-TARGETDURATION of a session with a first segment of this duration. */
    public int targetDurationS(long firstSegmentUs) {
        long roundedUp = Math.ceilDiv(firstSegmentUs, US_PER_SECOND);
        return Math.clamp(roundedUp, minTargetDurationS, maxTargetDurationS);
    }
}
