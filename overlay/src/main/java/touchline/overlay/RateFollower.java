package touchline.overlay;

/** Measures the source's bit rate to encode with a similar one. Media microseconds. One thread. */
final class RateFollower {
    static final int MIN_BPS = 300_000;
    static final int MAX_BPS = 30_000_000;

    /** Margin for re-encoding without visible loss. */
    private static final double MORE = 1.15;

    private static final long WINDOW_US = 4_000_000;
    private static final double WORTH_A_CHANGE = 0.15;

    /** Assumed before the first measurement. */
    private static final double BITS_PER_PIXEL = 0.1;

    private static final double USUAL_FRAME_RATE = 30;

    private long windowStartUs = Long.MIN_VALUE;
    private long bytes;
    private int rateBps;

    RateFollower(int width, int height) {
        rateBps = clamped(width * (double) height * USUAL_FRAME_RATE * BITS_PER_PIXEL);
    }

    /** Adds a received access unit. */
    void add(long dtsUs, long payloadBytes) {
        if (windowStartUs == Long.MIN_VALUE || dtsUs < windowStartUs) {
            windowStartUs = dtsUs;
            bytes = 0;
        }
        long us = dtsUs - windowStartUs;
        if (us >= WINDOW_US) {
            int measured = clamped(bytes * 8_000_000.0 / us * MORE);
            if (Math.abs(measured - rateBps) > rateBps * WORTH_A_CHANGE) {
                rateBps = measured;
            }
            windowStartUs = dtsUs;
            bytes = 0;
        }
        bytes += payloadBytes;
    }

    int rateBps() {
        return rateBps;
    }

    private static int clamped(double bps) {
        return (int) Math.clamp(bps, MIN_BPS, MAX_BPS);
    }
}
