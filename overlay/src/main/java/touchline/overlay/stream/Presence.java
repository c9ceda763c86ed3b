package touchline.overlay.stream;

/**
 * How much of a second video is seen: all of it while frames come and for two seconds after the
 * last one, then it fades out within half a second; when frames come again it fades in. Counted in
 * media time of the main stream. One thread.
 */
final class Presence {
    private static final long FREEZE_US = 2_000_000;
    private static final double FADE_US = 500_000;

    private long lastNewUs = Long.MIN_VALUE;
    private long lastUs = Long.MIN_VALUE;
    private double shown;

    /** A frame that was not shown before is there. */
    void newFrame(long ptsUs) {
        lastNewUs = ptsUs;
    }

    /**
     * @return 0 to 1
     */
    double at(long ptsUs) {
        if (lastNewUs == Long.MIN_VALUE) {
            return 0;
        }
        double passed = lastUs == Long.MIN_VALUE ? 0 : Math.max(0, ptsUs - lastUs) / FADE_US;
        lastUs = ptsUs;
        boolean comes = ptsUs - lastNewUs <= FREEZE_US;
        shown = Math.clamp(comes ? shown + passed : shown - passed, 0, 1);
        return shown;
    }
}
