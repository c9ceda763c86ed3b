package touchline.moderation;

/**
 * When the next frame of a session is due: an interval of media time behind the last one. A key
 * frame near that time is as good, since it costs one decoded frame instead of all since the last
 * key frame. One thread.
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

    /** From the next frame on; what would have been due meanwhile is not made up for. */
    void interval(int seconds) {
        long us = seconds * 1_000_000L;
        if (us != intervalUs) {
            intervalUs = us;
            notBeforeUs = newestUs;
        }
    }

    /** A frame has come; in decode order. */
    void seen(long ptsUs, boolean keyFrame) {
        newestUs = Math.max(newestUs, ptsUs);
        if (keyFrame) {
            if (lastKeyFrameUs != Long.MIN_VALUE && ptsUs > lastKeyFrameUs) {
                keyFrameDistanceUs = ptsUs - lastKeyFrameUs;
            }
            lastKeyFrameUs = ptsUs;
        }
    }

    /** The publisher is another one: its key frames may stand otherwise. */
    void restartKeyFrames() {
        lastKeyFrameUs = Long.MIN_VALUE;
        keyFrameDistanceUs = 0;
    }

    /** A frame of this time was taken. */
    void taken(long ptsUs) {
        lastUs = Math.max(lastUs, ptsUs);
    }

    /** Time of the last frame taken; the least number before the first. */
    long lastUs() {
        return lastUs;
    }

    /** Media time of the next frame. */
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

    /** Something is due at this time, but a key frame is expected that is near enough. */
    boolean awaitsKeyFrame(long ptsUs) {
        if (keyFrameDistanceUs == 0 || lastKeyFrameUs == Long.MIN_VALUE) {
            return false;
        }
        long expectedUs = lastKeyFrameUs + keyFrameDistanceUs;
        long latestUs = dueUs() + nearUs();
        return expectedUs >= dueUs() - nearUs() && expectedUs <= latestUs && ptsUs < latestUs;
    }

    /**
     * A key frame is expected before anything is due: what came since the last one is not needed.
     */
    boolean keyFrameComesFirst() {
        return keyFrameDistanceUs > 0
                && lastKeyFrameUs != Long.MIN_VALUE
                && lastKeyFrameUs + keyFrameDistanceUs <= dueUs();
    }

    /** A tenth of short intervals, up to 250 ms, and more for very long ones. */
    private long nearUs() {
        return Math.max(Math.min(intervalUs / 10, NEAR_US), intervalUs / 40);
    }
}
