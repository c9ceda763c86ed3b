package touchline.moderation;

/**
 * Decides which frames of a session are taken. A frame is due one interval of media time after the
 * last one. A key frame near the due time is taken instead: it costs one decoded frame, another one
 * costs all frames since the last key frame. One thread.
 */
final class SampleSchedule {
    private static final long NEAR_US = 250_000;

    private long intervalUs;
    private long lastUs = Long.MIN_VALUE;
    private long newestUs = Long.MIN_VALUE;
    private long lastKeyFrameUs = Long.MIN_VALUE;
    private long keyFrameDistanceUs;
    private long notBeforeUs = Long.MIN_VALUE;

    SampleSchedule(int intervalSeconds) {
        this.intervalUs = intervalSeconds * 1_000_000L;
    }

    /** Applies from the next frame on. The new interval does not make an earlier frame due. */
    void interval(int seconds) {
        long us = seconds * 1_000_000L;
        if (us != intervalUs) {
            intervalUs = us;
            notBeforeUs = newestUs;
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
        }
    }

    /** Another publisher follows; its key frames may have another distance. */
    void restartKeyFrames() {
        lastKeyFrameUs = Long.MIN_VALUE;
        keyFrameDistanceUs = 0;
    }

    /** Notes a frame that was taken. */
    void taken(long ptsUs) {
        lastUs = Math.max(lastUs, ptsUs);
    }

    /** Time of the last frame taken; {@link Long#MIN_VALUE} before the first. */
    long lastUs() {
        return lastUs;
    }

    /** Media time from which a frame is due. */
    long dueUs() {
        return lastUs == Long.MIN_VALUE
                ? Long.MIN_VALUE
                : Math.max(lastUs + intervalUs, notBeforeUs);
    }

    boolean isDue(long ptsUs) {
        return ptsUs >= dueUs();
    }

    /** Whether a key frame is taken instead of the frame that is due. */
    boolean takesKeyFrame(long ptsUs) {
        return lastUs == Long.MIN_VALUE || ptsUs >= dueUs() - nearUs();
    }

    /** A key frame is expected soon after the due time: nothing is decoded before it. */
    boolean awaitsKeyFrame(long ptsUs) {
        if (keyFrameDistanceUs == 0 || lastKeyFrameUs == Long.MIN_VALUE) {
            return false;
        }
        long expectedUs = lastKeyFrameUs + keyFrameDistanceUs;
        long latestUs = dueUs() + nearUs();
        return expectedUs >= dueUs() - nearUs() && expectedUs <= latestUs && ptsUs < latestUs;
    }

    /** A key frame is expected before the due time: the frames up to it are not needed. */
    boolean keyFrameComesFirst() {
        return keyFrameDistanceUs > 0
                && lastKeyFrameUs != Long.MIN_VALUE
                && lastKeyFrameUs + keyFrameDistanceUs <= dueUs();
    }

    /** A tenth of the interval up to 250 ms, but at least a fortieth of it. */
    private long nearUs() {
        return Math.max(Math.min(intervalUs / 10, NEAR_US), intervalUs / 40);
    }
}
