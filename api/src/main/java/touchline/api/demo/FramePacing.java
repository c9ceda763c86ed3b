package touchline.api.demo;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import touchline.media.ffmpeg.FrameRate;

/**
 * Decides how many frames of the match are drawn: each one, every second, or every third. A slow
 * host gets fewer, so that the server beside the demo keeps its own quality. Owned by the drawing
 * thread.
 */
final class FramePacing {
    private static final int MAX_DIVISOR = 3;

    /** Part of the time that drawing and encoding may take: the server works on each frame too. */
    private static final double OWN_SHARE = 0.3;

    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final double BUSY_LOAD = 0.95;
    private static final double LATE_SHARE = 0.1;

    private final DoubleSupplier hostLoad;
    private final int maxDivisor;
    private final long windowNs;
    private int divisor;
    private int windows;
    private int busyWindows;
    private long windowStartNs;
    private int frames;
    private int lateFrames;

    private FramePacing(int divisor, int maxDivisor, Duration window, DoubleSupplier hostLoad) {
        this.divisor = divisor;
        this.maxDivisor = maxDivisor;
        this.windowNs = window.toNanos();
        this.hostLoad = hostLoad;
    }

    /** Every frame on any host. */
    static FramePacing everyFrame() {
        return new FramePacing(1, 1, WINDOW, () -> 0);
    }

    /**
     * As many frames as this host is fast enough for.
     *
     * @param frameMs time to draw and encode a frame, measured before the server has work
     * @param hostLoad share of all processors that was in use since the last call, 0 to 1; negative
     *     where it is unknown
     */
    static FramePacing adaptive(double frameMs, FrameRate rate, DoubleSupplier hostLoad) {
        return adaptive(frameMs, rate, WINDOW, hostLoad);
    }

    /** The same with other windows. */
    static FramePacing adaptive(
            double frameMs, FrameRate rate, Duration window, DoubleSupplier hostLoad) {
        double share = frameMs / 1_000 * rate.numerator() / rate.denominator();
        int divisor = Math.clamp((long) Math.ceil(share / OWN_SHARE), 1, MAX_DIVISOR);
        return new FramePacing(divisor, MAX_DIVISOR, window, hostLoad);
    }

    int divisor() {
        return divisor;
    }

    /** Whether a frame of the match is drawn. */
    boolean isDrawn(long frame) {
        return frame % divisor == 0;
    }

    /**
     * To be called for each frame; true where {@link #divisor} has grown. It grows after two busy
     * windows in a row. The first window does not count: the server starts in it.
     *
     * @param late whether the frame came too late to be drawn
     */
    boolean observe(long nowNs, boolean late) {
        if (frames == 0) {
            windowStartNs = nowNs;
        }
        frames++;
        lateFrames += late ? 1 : 0;
        if (nowNs - windowStartNs < windowNs) {
            return false;
        }
        boolean isBusy =
                hostLoad.getAsDouble() > BUSY_LOAD || lateFrames > frames * LATE_SHARE;
        windows++;
        frames = 0;
        lateFrames = 0;
        busyWindows = isBusy && windows > 1 ? busyWindows + 1 : 0;
        if (busyWindows < 2 || divisor == maxDivisor) {
            return false;
        }
        busyWindows = 0;
        divisor++;
        return true;
    }
}
