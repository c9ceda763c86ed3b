package touchline.packager.hls;

import java.util.List;
import touchline.media.CodecConfig;

/** Bit rates and frame rate of the sealed segments. Guarded by its window's lock. */
final class SegmentStatistics {
    /** Shorter segments say little about a stream's bit rate. */
    private static final long MIN_MEASURED_US = 1_000_000;

    private long peakBps;
    private long totalBytes;
    private long totalUs;
    private double frameRate;

    /**
     * @param framesPerSecond in this segment; 0 without video
     */
    void add(MediaSegment segment, double framesPerSecond) {
        frameRate = framesPerSecond;
        totalBytes += segment.sizeBytes();
        totalUs += segment.durationUs();
        if (segment.durationUs() >= MIN_MEASURED_US) {
            long bps = Math.ceilDiv(segment.sizeBytes() * 8 * 1_000_000, segment.durationUs());
            peakBps = Math.max(peakBps, bps);
        }
    }

    /** Whether a segment has been sealed. */
    boolean hasSegments() {
        return totalUs > 0;
    }

    /**
     * @param tracks frames first
     */
    MultivariantPlaylist multivariant(
            List<CodecConfig> tracks, boolean composited, Captions captions) {
        return new MultivariantPlaylist(
                tracks,
                Math.max(peakBps, averageBps()),
                averageBps(),
                frameRate,
                composited,
                captions);
    }

    private long averageBps() {
        // In floating point: the product would exceed 2^63 after a terabyte.
        return totalUs == 0 ? 0 : (long) Math.ceil(totalBytes * 8e6 / totalUs);
    }

    /** Of the newest segment; 0 without video. */
    double frameRate() {
        return frameRate;
    }
}
