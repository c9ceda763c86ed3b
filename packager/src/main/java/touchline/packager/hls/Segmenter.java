package touchline.packager.hls;

import java.util.OptionalDouble;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * Pure rules that decide where parts and segments end, unit by unit of the leading track (video,
 * else audio).
 *
 * <p>A segment ends before the first key frame that is at least the segment target after its start.
 * A key frame up to {@value #EARLY_PERCENT} % before that is close enough if the next one is
 * expected farther away: key frames may come some milliseconds early. If no key frame arrives in
 * time, the segment ends with the last unit that fits into EXT-X-TARGETDURATION.
 *
 * <p>A part ends with the last unit that fits into the part target. The part target of a session
 * follows from the nominal duration of its units: as many whole units as fit into the configured
 * part. So parts of a constant frame rate have equally many frames, and never last less than 85 %
 * of it (draft-pantos-hls-rfc8216bis-20, 4.4.3.7). What arrives at the start has no influence.
 *
 * <p>A unit's end is known when the next unit arrives. A part that is nearly full (less than half a
 * unit is left) ends without waiting for a unit that would not fit. If the end can be predicted,
 * {@link #fills} decides whether a unit ends its part before the next one arrives.
 *
 * <p>The part target never changes within a session, even if the frame rate changes at a
 * discontinuity (the same draft, 6.2.1). Parts then consist of as many whole units as fit. If that
 * is too short, or a unit is longer than a part because units after it are missing, {@link
 * PartDurationLimiter} ends the unit with the part. If every unit is longer than a part, each unit
 * is a part.
 *
 * <p>Times are media microseconds. One thread.
 */
final class Segmenter {
    /** A part this large ends whatever its duration. */
    static final long MAX_PART_BYTES = 32L << 20;

    /** Maximum error of a predicted end: publishers round to milliseconds. */
    static final long PREDICTION_ERROR_US = 2_000;

    /** Of the part target, for every part but a segment's last. */
    private static final int MIN_PERCENT = 85;

    /** Of the segment target. */
    static final int EARLY_PERCENT = 5;

    private final LatencyProfile profile;
    private final long maxSegmentUs;
    private final long segmentTargetUs;
    private long partTargetUs;
    private boolean partTargetIsSet;
    private long segmentStartUs;

    /** The newest key frame, or the segment's start if none has come. */
    private long keyFrameUs;

    private long partStartUs;
    private long endUs;
    private boolean empty = true;

    /** By how much the segment behind a discontinuity is shorter than its frames. */
    private long delayUs;

    private long shortestUnitUs;
    private int targetDurationS;

    /** What ends at a unit. */
    enum Cut {
        NONE,
        PART,
        SEGMENT
    }

    Segmenter(LatencyProfile profile) {
        this.profile = profile;
        this.maxSegmentUs = profile.longestSegmentUs(profile.maxTargetDurationS());
        this.partTargetUs = profile.partTargetUs();
        // With listed parts a segment may start at a predicted time, slightly off its key frame.
        this.segmentTargetUs =
                profile.segmentTargetUs() - (profile.listsParts() ? PREDICTION_ERROR_US : 0);
    }

    /** For a window, whose target durations stay as they are where it has them. */
    static Segmenter of(LiveWindow window) {
        Segmenter segmenter = new Segmenter(window.settings().profile());
        StoredWindow before = window.toStore();
        if (before.newest().isPresent()) {
            segmenter.targetDurationS = before.head(window.settings()).targetDurationS();
            segmenter.partTargetUs = before.head(window.settings()).partTargetUs();
            segmenter.partTargetIsSet = true;
        }
        return segmenter;
    }

    /** EXT-X-TARGETDURATION in seconds; 0 until the first segment is complete, then constant. */
    int targetDurationS() {
        return targetDurationS;
    }

    /** PART-TARGET; constant from the first part on. */
    long partTargetUs() {
        return partTargetUs;
    }

    /**
     * A timeline begins. The first one whose nominal unit is known sets the part target, unless
     * parts were ended before.
     *
     * @param unitUs nominal duration of a unit of the leading track; empty if it is unknown
     */
    void nominal(OptionalDouble unitUs) {
        if (!partTargetIsSet && unitUs.isPresent()) {
            partTargetUs = profile.partTargetUs(unitUs.getAsDouble());
        }
    }

    /** Decides what ends before this sample is added. */
    Cut before(Sample sample) {
        if (empty) {
            delayUs = Math.max(0, sample.startUs() - sample.unit().dtsUs());
        }
        return before(sample.startUs(), sample.endUs());
    }

    /** The same for a unit that is decoded at its own time. */
    Cut before(long unitStartUs, long unitEndUs) {
        if (empty) {
            segmentStartUs = unitStartUs;
            keyFrameUs = unitStartUs;
            endUs = unitStartUs;
            startPart();
            empty = false;
            return Cut.NONE;
        }
        return cutBefore(unitEndUs);
    }

    private Cut cutBefore(long unitEndUs) {
        if (endUs == segmentStartUs) {
            return Cut.NONE;
        }
        if (unitEndUs - segmentStartUs > segmentLimitUs()) {
            return Cut.SEGMENT;
        }
        if (endUs > partStartUs && unitEndUs - partStartUs > partTargetUs) {
            return Cut.PART;
        }
        return Cut.NONE;
    }

    /**
     * Decides what ends with the unit just added.
     *
     * @param unitEndUs where it ends and the next one starts
     * @param unitDurationUs its duration, and probably that of the next one
     * @param nextIsKeyFrame decoding can start at the next unit
     * @param partBytes of the part so far
     */
    Cut after(long unitEndUs, long unitDurationUs, boolean nextIsKeyFrame, long partBytes) {
        endUs = unitEndUs;
        shortestUnitUs = Math.min(shortestUnitUs, unitDurationUs);
        Cut cut = cutAfter(unitEndUs, unitDurationUs, nextIsKeyFrame, partBytes);
        if (nextIsKeyFrame) {
            keyFrameUs = unitEndUs;
        }
        return cut;
    }

    private Cut cutAfter(
            long unitEndUs, long unitDurationUs, boolean nextIsKeyFrame, long partBytes) {
        if (nextIsKeyFrame && isLongEnough(unitEndUs)) {
            return Cut.SEGMENT;
        }
        // A longer unit says little about the next one: the encoder skipped a frame after it.
        long nearlyUs = unitEndUs + Math.min(unitDurationUs, shortestUnitUs) / 2;
        if (nearlyUs - segmentStartUs > segmentLimitUs()) {
            return Cut.SEGMENT;
        }
        boolean isFull = nearlyUs - partStartUs > partTargetUs && !isTooShort(unitEndUs);
        return isFull || partBytes >= MAX_PART_BYTES ? Cut.PART : Cut.NONE;
    }

    /**
     * Whether a unit that has not been added yet is the last of its part, whatever follows. Changes
     * nothing.
     *
     * @param unitEndUs where it ends as far as can be predicted
     * @param nextIsKeyFrame decoding is known to be able to start at the next unit
     * @param partBytes of the part with it
     */
    boolean fills(long unitStartUs, long unitEndUs, boolean nextIsKeyFrame, long partBytes) {
        return !empty
                && cutBefore(unitEndUs) == Cut.NONE
                && cutAfter(unitEndUs, unitEndUs - unitStartUs, nextIsKeyFrame, partBytes)
                        != Cut.NONE;
    }

    /** Where the growing part ends at the latest. */
    long latestEndUs() {
        return Math.min(segmentStartUs + segmentLimitUs(), partStartUs + partTargetUs);
    }

    /** Whether the growing part would be shorter than it may be if it ended here. */
    boolean isTooShort(long partEndUs) {
        long durationUs = partEndUs - partStartUs;
        return durationUs > 0 && durationUs * 100 < partTargetUs * MIN_PERCENT;
    }

    /** Whether the segment may end before a key frame at this time. */
    boolean isLongEnough(long nextKeyFrameUs) {
        long durationUs = nextKeyFrameUs - segmentStartUs + delayUs;
        if (durationUs >= segmentTargetUs) {
            return true;
        }
        long missingUs = segmentTargetUs - durationUs;
        long intervalUs = nextKeyFrameUs - keyFrameUs;
        return missingUs * 100 <= segmentTargetUs * EARLY_PERCENT
                && intervalUs - missingUs > missingUs;
    }

    /** Decides what ends before a key frame, if all units before it are in finished parts. */
    Cut beforeKeyFrame(long nextKeyFrameUs) {
        boolean isDue = !empty && endUs > segmentStartUs && isLongEnough(nextKeyFrameUs);
        keyFrameUs = nextKeyFrameUs;
        return isDue ? Cut.SEGMENT : Cut.NONE;
    }

    /** The part has been ended at the end of the last unit, and its segment goes on. */
    void partEnded() {
        partTargetIsSet = true;
        startPart();
    }

    /**
     * The segment, and with it its last part, has been ended.
     *
     * @param durationUs of its published parts
     */
    void segmentEnded(long durationUs) {
        if (targetDurationS == 0) {
            targetDurationS = profile.targetDurationS(durationUs);
        }
        partTargetIsSet = true;
        segmentStartUs = endUs;
        delayUs = 0;
        startPart();
    }

    /** A discontinuity: the next unit starts a segment. */
    void restart() {
        empty = true;
        delayUs = 0;
    }

    private void startPart() {
        partStartUs = endUs;
        shortestUnitUs = Long.MAX_VALUE;
    }

    private long segmentLimitUs() {
        return targetDurationS == 0 ? maxSegmentUs : profile.longestSegmentUs(targetDurationS);
    }
}
