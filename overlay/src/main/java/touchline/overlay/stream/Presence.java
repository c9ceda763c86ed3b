package touchline.overlay.stream;

/**
 * Opacity of the overlay video: full while frames arrive and for two seconds after the last one,
 * then a fade-out of half a second. New frames fade it in. Times are media time of the main stream.
 * One thread.
 */
final class Presence {
    private static final long FREEZE_US = 2_000_000;
    private static final double FADE_US = 500_000;

    private long lastNewUs = Long.MIN_VALUE;
    private long lastUs = Long.MIN_VALUE;
    private double shown;

    /** A new frame has arrived. */
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
        boolean arriving = ptsUs - lastNewUs <= FREEZE_US;
        shown = Math.clamp(arriving ? shown + passed : shown - passed, 0, 1);
        return shown;
    }
}
