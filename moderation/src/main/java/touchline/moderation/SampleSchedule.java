package touchline.moderation;

import java.util.function.DoubleSupplier;

/**
 * Decides which frames of a session are taken. The first frame is taken. The second one comes at a
 * random time within an interval, each further one 80 to 92 % of an interval after the last, again
 * at random. So every stretch as long as the interval holds a sample, and no position is safe.
 *
 * <p>A key frame near the due time is taken instead: it costs one decoded frame, another one costs
 * all frames since the last key frame. Two samples in a row are never both key frames, since key
 * frames alone could hide the rest. One thread.
 */
final class SampleSchedule {
    private static final long NEAR_US = 250_000;
    private static final double LEAST = 0.80;
    private static final double MOST = 0.92;

    private final DoubleSupplier random;
    private long intervalUs;
    private long lastUs = Long.MIN_VALUE;
    private long dueUs = Long.MIN_VALUE;
    private boolean lastWasKeyFrame;

    /** Since the last sample. Without any, all frames are key frames. */
    private boolean otherFrameSeen;

    private long newestUs = Long.MIN_VALUE;
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
        newestUs = Math.max(newestUs, ptsUs);
        if (keyFrame) {
            if (lastKeyFrameUs != Long.MIN_VALUE && ptsUs > lastKeyFrameUs) {
                keyFrameDistanceUs = ptsUs - lastKeyFrameUs;
            }
            lastKeyFrameUs = ptsUs;
        } else {
            otherFrameSeen = true;
        }
    }

    /** Another publisher follows; its key frames may have another distance. */
    void restartKeyFrames() {
        lastKeyFrameUs = Long.MIN_VALUE;
        keyFrameDistanceUs = 0;
    }

    /** Notes a frame that was taken. */
    void taken(long ptsUs, boolean keyFrame) {
        if (ptsUs > lastUs) {
            boolean first = lastUs == Long.MIN_VALUE;
            lastUs = ptsUs;
            lastWasKeyFrame = keyFrame;
            otherFrameSeen = false;
            dueUs = ptsUs + (first ? firstDistanceUs() : distanceUs());
        }
    }

    /** Time of the last frame taken; {@link Long#MIN_VALUE} before the first. */
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

    /** Whether a key frame is taken instead of the frame that is due. */
    boolean takesKeyFrame(long ptsUs) {
        return lastUs == Long.MIN_VALUE || (allowsKeyFrame() && ptsUs >= dueUs - nearUs());
    }

    /** Whether the next sample may be a key frame. */
    boolean allowsKeyFrame() {
        return !lastWasKeyFrame || !otherFrameSeen;
    }

    /** A key frame is expected soon after the due time: nothing is decoded before it. */
    boolean awaitsKeyFrame(long ptsUs) {
        if (keyFrameDistanceUs == 0 || lastKeyFrameUs == Long.MIN_VALUE || !allowsKeyFrame()) {
            return false;
        }
        long expectedUs = lastKeyFrameUs + keyFrameDistanceUs;
        long latestUs = Math.min(dueUs + nearUs(), lastUs + intervalUs);
        return expectedUs >= dueUs - nearUs() && expectedUs <= latestUs && ptsUs < latestUs;
    }

    /** A key frame is expected before the due time: the frames up to it are not needed. */
    boolean keyFrameComesFirst() {
        return keyFrameDistanceUs > 0
                && lastKeyFrameUs != Long.MIN_VALUE
                && lastKeyFrameUs + keyFrameDistanceUs <= dueUs;
    }

    private long firstDistanceUs() {
        return Math.round(MOST * intervalUs * random.getAsDouble());
    }

    private long distanceUs() {
        return Math.round(intervalUs * (LEAST + (MOST - LEAST) * random.getAsDouble()));
    }

    /** A tenth of the interval up to 250 ms, but at least a fortieth of it. */
    private long nearUs() {
        return Math.max(Math.min(intervalUs / 10, NEAR_US), intervalUs / 40);
    }
}
