package touchline.packager.hls;

/**
 * Predicts the next key frame, if the last two key frame distances were equal within the
 * millisecond to which publishers round. Media microseconds. One thread.
 */
final class GopIntervalEstimator {
    private long lastUs;
    private long distanceUs;
    private boolean started;
    private boolean regular;

    void keyFrame(long dtsUs) {
        long newDistanceUs = started ? dtsUs - lastUs : 0;
        regular = distanceUs > 0 && isNear(newDistanceUs, distanceUs);
        distanceUs = newDistanceUs;
        lastUs = dtsUs;
        started = true;
    }

    /** Whether a key frame is expected at this time. */
    boolean isDue(long dtsUs) {
        return regular && isNear(dtsUs - lastUs, distanceUs);
    }

    void clear() {
        started = false;
        regular = false;
        distanceUs = 0;
    }

    private static boolean isNear(long us, long otherUs) {
        return Math.abs(us - otherUs) <= Segmenter.PREDICTION_ERROR_US;
    }
}
