package touchline.moderation;

import java.util.function.DoubleSupplier;

/**
 * Decides which frames of a session are taken. The first frame is taken. The second one comes at a
 * random time within an interval, each further one 80 to 92 % of an interval after the last, again
 * at random. So every stretch as long as the interval holds a sample, and no position is safe.
 *
 * <p>These frames are no key frames, since clean key frames could hide the rest. A key frame is
 * taken in addition, each two to six intervals, so that the rest cannot hide key frames. A stream
 * of key frames only has no other samples. One thread.
 */
final class SampleSchedule {
    private static final double LEAST = 0.80;
    private static final double MOST = 0.92;

    /** Beyond its due time, a sample comes with the next frame, or with the one behind it. */
    private static final int LATE_FRAMES = 2;

    private static final double LEAST_KEY_FRAME = 2;
    private static final double MOST_KEY_FRAME = 6;

    private final DoubleSupplier random;
    private long intervalUs;
    private long lastUs = Long.MIN_VALUE;
    private long dueUs = Long.MIN_VALUE;
    private long keyFrameDueUs = Long.MIN_VALUE;

    /** Since the last sample that is no additional key frame. Without any, all are key frames. */
    private boolean otherFrameSeen;

    private long newestUs = Long.MIN_VALUE;
    private long previousUs = Long.MIN_VALUE;
    private long frameUs = Long.MAX_VALUE;
    private long lastKeyFrameUs = Long.MIN_VALUE;
    private long keyFrameDistanceUs;

    /**
     * @param intervalUs longest distance of two samples
     * @param random from 0 to 1
     */
    SampleSchedule(long intervalUs, DoubleSupplier random) {
        this.intervalUs = intervalUs;
        this.random = random;
    }

    /** Applies from the next frame on. The new interval does not make an earlier frame due. */
    void interval(long us) {
        if (us != intervalUs) {
            intervalUs = us;
            if (lastUs != Long.MIN_VALUE) {
                dueUs = Math.max(lastUs + distanceUs(), newestUs);
            }
        }
    }

    /** Notes a frame of the feed; called in decode order. */
    void seen(long ptsUs, boolean keyFrame) {
        passed(ptsUs);
        if (keyFrame) {
            if (lastKeyFrameUs != Long.MIN_VALUE && ptsUs > lastKeyFrameUs) {
                keyFrameDistanceUs = ptsUs - lastKeyFrameUs;
            }
            lastKeyFrameUs = ptsUs;
        } else {
            otherFrameSeen = true;
        }
    }

    /** Notes a frame that cannot be taken; called in decode order. */
    void passed(long ptsUs) {
        newestUs = Math.max(newestUs, ptsUs);
        long stepUs = previousUs == Long.MIN_VALUE ? 0 : Math.abs(ptsUs - previousUs);
        if (stepUs > 0) {
            frameUs = Math.min(frameUs, stepUs);
        }
        previousUs = ptsUs;
    }

    /** Another publisher follows; its key frames and frames may have another distance. */
    void restartFrames() {
        lastKeyFrameUs = Long.MIN_VALUE;
        keyFrameDistanceUs = 0;
        previousUs = Long.MIN_VALUE;
        frameUs = Long.MAX_VALUE;
    }

    /** Notes a frame that was taken because it was due. */
    void taken(long ptsUs) {
        if (ptsUs > lastUs) {
            boolean first = lastUs == Long.MIN_VALUE;
            lastUs = ptsUs;
            otherFrameSeen = false;
            dueUs = ptsUs + (first ? firstDistanceUs() : distanceUs());
            if (first) {
                keyFrameDueUs = ptsUs + keyFrameDistanceUs();
            }
        }
    }

    /** Notes a key frame that was taken in addition: the next frame is due as before. */
    void takenInAddition(long ptsUs) {
        keyFrameDueUs = ptsUs + keyFrameDistanceUs();
    }

    /** Time of the last due frame taken; {@link Long#MIN_VALUE} before the first. */
    long lastUs() {
        return lastUs;
    }

    /** From this time on, a frame is due. */
    long dueUs() {
        return dueUs;
    }

    boolean isDue(long ptsUs) {
        return ptsUs >= dueUs;
    }

    /** Whether a due frame may be a key frame: no other one has come since the last sample. */
    boolean allowsKeyFrame() {
        return lastUs == Long.MIN_VALUE || !otherFrameSeen;
    }

    /** Whether this key frame is taken in addition to the frames that are due. */
    boolean takesInAddition(long ptsUs) {
        return otherFrameSeen && lastUs != Long.MIN_VALUE && ptsUs >= keyFrameDueUs;
    }

    /** A key frame is expected before the due time: the frames up to it are not needed. */
    boolean keyFrameComesFirst() {
        return keyFrameDistanceUs > 0
                && lastKeyFrameUs != Long.MIN_VALUE
                && lastKeyFrameUs + keyFrameDistanceUs <= dueUs;
    }

    private long firstDistanceUs() {
        return Math.round(mostUs() * random.getAsDouble());
    }

    private long distanceUs() {
        double mostUs = mostUs();
        double leastUs = Math.min(LEAST * intervalUs, mostUs * LEAST / MOST);
        return Math.round(leastUs + (mostUs - leastUs) * random.getAsDouble());
    }

    private long keyFrameDistanceUs() {
        double intervals =
                LEAST_KEY_FRAME + (MOST_KEY_FRAME - LEAST_KEY_FRAME) * random.getAsDouble();
        return Math.round(intervals * intervalUs);
    }

    /** Leaves time for the frames that come after the due time, if the frame rate permits. */
    private double mostUs() {
        double mostUs = MOST * intervalUs;
        if (frameUs == Long.MAX_VALUE) {
            return mostUs;
        }
        double inTimeUs = (double) intervalUs - LATE_FRAMES * frameUs;
        return Math.max(Math.min(mostUs, inTimeUs), (double) intervalUs / LATE_FRAMES);
    }
}
