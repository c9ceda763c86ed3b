package touchline.packager.hls;

/**
 * Pure rules: when a part ends and when a segment ends, told unit by unit of the leading track
 * (frames, or audio where there are none).
 *
 * <p>A segment ends before the first key frame that lies at least the segment target behind its
 * start; where none comes in time it ends with the last unit that still fits into
 * EXT-X-TARGETDURATION. A part ends with the last unit that fits into the part target. The part
 * target of a session is the length of its first part: as many whole units as fit, with a
 * millisecond to spare unless they are equally long, since publishers count in milliseconds. So
 * parts of a constant frame rate hold equally many frames, and never fall under 85 % of it
 * (draft-pantos-hls-rfc8216bis-20, 4.4.3.7).
 *
 * <p>A unit's end is known only when the next one has come; a part that is as good as full (less
 * than half a unit's time is left) ends without waiting for the unit that would not fit. Where the
 * end can be predicted, {@link #fills} says whether the unit ends its part, before the next comes.
 *
 * <p>The part target stays when the frame rate changes behind a discontinuity: it never changes
 * within a session (the same draft, 6.2.1). Parts are then as many whole units as fit into it;
 * where that is too little, or a unit is longer than a part, since others were left out behind it,
 * {@link PartDurationLimiter} lets the unit end with the part. Where every unit is longer than a
 * part, each is a part alone.
 *
 * <p>Times are media microseconds. One thread.
 */
final class Segmenter {
    /** A part this large ends whatever its duration. */
    static final long MAX_PART_BYTES = 32L << 20;

    /** How far a predicted end may lie beside the real one: publishers count in milliseconds. */
    static final long PREDICTION_ERROR_US = 2_000;

    /** Of the part target, for every part but a segment's last. */
    private static final int MIN_PERCENT = 85;

    private static final long US_PER_MS = 1_000;
    private static final long US_PER_SECOND = 1_000_000;

    private final LatencyProfile profile;
    private final long maxSegmentUs;
    private final long segmentTargetUs;
    private long segmentStartUs;
    private long partStartUs;
    private long endUs;
    private boolean empty = true;
    private long shortestUnitUs;
    private long longestUnitUs;
    private int targetDurationS;
    private long partTargetUs;

    /** What ends here. */
    enum Cut {
        NONE,
        PART,
        SEGMENT
    }

    Segmenter(LatencyProfile profile) {
        this.profile = profile;
        this.maxSegmentUs = profile.maxTargetDurationS() * US_PER_SECOND;
        // With listed parts a segment may start at a predicted time, a little beside its key frame.
        this.segmentTargetUs =
                profile.segmentTargetUs() - (profile.listsParts() ? PREDICTION_ERROR_US : 0);
    }

    /** EXT-X-TARGETDURATION in seconds; 0 until the first segment is complete, then constant. */
    int targetDurationS() {
        return targetDurationS;
    }

    /** PART-TARGET; 0 until the first part is complete, then constant. */
    long partTargetUs() {
        return partTargetUs;
    }

    /** What must end before this unit is added. */
    Cut before(long unitStartUs, long unitEndUs) {
        if (empty) {
            segmentStartUs = unitStartUs;
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
        if (endUs > partStartUs && unitEndUs - partStartUs > partLimitUs()) {
            return Cut.PART;
        }
        return Cut.NONE;
    }

    /**
     * What ends with the unit just added.
     *
     * @param unitEndUs where it ends and the next one starts
     * @param unitDurationUs how long it lasts, and the next one probably
     * @param nextIsKeyFrame decoding can start at the next unit
     * @param partBytes of the part so far
     */
    Cut after(long unitEndUs, long unitDurationUs, boolean nextIsKeyFrame, long partBytes) {
        endUs = unitEndUs;
        shortestUnitUs = Math.min(shortestUnitUs, unitDurationUs);
        longestUnitUs = Math.max(longestUnitUs, unitDurationUs);
        return cutAfter(unitEndUs, unitDurationUs, nextIsKeyFrame, partBytes);
    }

    private Cut cutAfter(
            long unitEndUs, long unitDurationUs, boolean nextIsKeyFrame, long partBytes) {
        if (nextIsKeyFrame && isLongEnough(unitEndUs)) {
            return Cut.SEGMENT;
        }
        // One that lasts longer says little of the next: the encoder left one out behind it.
        long nearlyUs = unitEndUs + Math.min(unitDurationUs, shortestUnitUs) / 2;
        if (nearlyUs - segmentStartUs > segmentLimitUs()) {
            return Cut.SEGMENT;
        }
        boolean isFull = nearlyUs - partStartUs > partLimitUs() && !isTooShort(unitEndUs);
        return isFull || partBytes >= MAX_PART_BYTES ? Cut.PART : Cut.NONE;
    }

    /**
     * Whether a unit that has not been added yet is the last of its part, whatever comes behind it.
     * Changes nothing.
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
        return Math.min(segmentStartUs + segmentLimitUs(), partStartUs + partLimitUs());
    }

    /** Whether the growing part would be shorter than it may be if it ended here. */
    boolean isTooShort(long partEndUs) {
        long durationUs = partEndUs - partStartUs;
        return durationUs > 0 && durationUs * 100 < partTargetUs * MIN_PERCENT;
    }

    /** Whether the segment may end before a key frame at this time. */
    boolean isLongEnough(long keyFrameUs) {
        return keyFrameUs - segmentStartUs >= segmentTargetUs;
    }

    /** What ends before a key frame that comes when all units before it have been ended. */
    Cut beforeKeyFrame(long keyFrameUs) {
        boolean isDue = !empty && endUs > segmentStartUs && isLongEnough(keyFrameUs);
        return isDue ? Cut.SEGMENT : Cut.NONE;
    }

    /** The part has been ended at the end of the last unit, and its segment goes on. */
    void partEnded() {
        if (partTargetUs == 0) {
            partTargetUs = firstPartTargetUs(endUs - partStartUs);
        }
        startPart();
    }

    /**
     * The segment, and with it its last part, has been ended.
     *
     * @param durationUs of what was published of it
     */
    void segmentEnded(long durationUs) {
        if (targetDurationS == 0) {
            targetDurationS = profile.targetDurationS(durationUs);
        }
        if (partTargetUs == 0) {
            partTargetUs = profile.partTargetUs();
        }
        segmentStartUs = endUs;
        startPart();
    }

    /** What follows stands behind a discontinuity: its first unit starts a segment. */
    void restart() {
        empty = true;
    }

    private long firstPartTargetUs(long durationUs) {
        boolean isExact = longestUnitUs == shortestUnitUs && US_PER_SECOND % longestUnitUs == 0;
        // On an exact grid units differ by what is rounded off a microsecond.
        boolean isGrid = longestUnitUs - shortestUnitUs <= 1 && shortestUnitUs % US_PER_MS != 0;
        long spareUs = isGrid ? 1 : US_PER_MS;
        long longestUs = isExact ? durationUs : durationUs + spareUs;
        return durationUs <= profile.partTargetUs()
                ? Math.min(longestUs, profile.partTargetUs())
                : longestUs;
    }

    private void startPart() {
        partStartUs = endUs;
        shortestUnitUs = Long.MAX_VALUE;
        longestUnitUs = 0;
    }

    private long segmentLimitUs() {
        return targetDurationS == 0 ? maxSegmentUs : targetDurationS * US_PER_SECOND;
    }

    private long partLimitUs() {
        return partTargetUs == 0 ? profile.partTargetUs() : partTargetUs;
    }
}
