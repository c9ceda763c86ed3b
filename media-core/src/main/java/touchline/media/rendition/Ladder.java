package touchline.media.rendition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The renditions of one source, and those that its size rules out. Immutable, any thread.
 *
 * @param renditions the largest first
 * @param leftOut heights that are not below the source's, in the order of the request
 */
public record Ladder(List<RenditionFormat> renditions, List<Integer> leftOut) {
    private static final int HD_SIDE = 720;
    private static final int SD_SIDE = 480;
    private static final int LOW_SIDE = 360;

    /** A 720p rendition with up to 32 frames per second has 3 Mbit/s. */
    private static final double HD_BPS = 3_000_000;

    private static final double HD_PIXELS = 1280 * 720;

    /** Twice as many samples need 1.8 times the bits. */
    private static final double EXPONENT = 0.85;

    private static final double HIGH_FRAME_RATE = 32;
    private static final double HIGH_FRAME_RATE_FACTOR = 1.5;
    private static final int STEP_BPS = 50_000;

    public Ladder {
        renditions = List.copyOf(renditions);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * Size and frame rate of a source.
     *
     * @param frameRate frames per second; 0 if unknown
     */
    public record Source(int width, int height, double frameRate) {
        int shorterSide() {
            return Math.min(width, height);
        }
    }

    /**
     * Chooses the renditions of a source. Pixels keep their shape, so both sides are scaled alike;
     * the longer one is rounded to an even number. A source of 720 or more ({@code auto}) has 480p
     * and 360p, a source of 480 or more 360p, a smaller one none.
     */
    public static Ladder of(RenditionSettings settings, Source source) {
        List<RenditionFormat> renditions = new ArrayList<>();
        List<Integer> leftOut = new ArrayList<>();
        for (RenditionSettings.Rendition each : wanted(settings, source)) {
            if (each.height() < source.shorterSide()) {
                renditions.add(format(each, source));
            } else {
                leftOut.add(each.height());
            }
        }
        renditions.sort(Comparator.comparingInt(RenditionFormat::shorterSide).reversed());
        return new Ladder(renditions, leftOut);
    }

    private static List<RenditionSettings.Rendition> wanted(
            RenditionSettings settings, Source source) {
        if (!settings.auto()) {
            return settings.renditions();
        }
        if (source.shorterSide() >= HD_SIDE) {
            return List.of(
                    RenditionSettings.Rendition.of(SD_SIDE),
                    RenditionSettings.Rendition.of(LOW_SIDE));
        }
        return source.shorterSide() >= SD_SIDE
                ? List.of(RenditionSettings.Rendition.of(LOW_SIDE))
                : List.of();
    }

    private static RenditionFormat format(RenditionSettings.Rendition wanted, Source source) {
        double scale = (double) wanted.height() / source.shorterSide();
        boolean portrait = source.width() < source.height();
        int width = portrait ? wanted.height() : even(source.width() * scale);
        int height = portrait ? even(source.height() * scale) : wanted.height();
        boolean slower = wanted.frameRate() > 0 && wanted.frameRate() < nominal(source);
        double frameRate = slower ? wanted.frameRate() : 0;
        int bitrateBps =
                wanted.videoBitrateBps() > 0
                        ? wanted.videoBitrateBps()
                        : defaultBitrateBps(width, height, slower ? frameRate : source.frameRate());
        return new RenditionFormat(wanted.height(), width, height, bitrateBps, frameRate);
    }

    /** An unknown frame rate is not below any. */
    private static double nominal(Source source) {
        return source.frameRate() > 0 ? source.frameRate() : Double.MAX_VALUE;
    }

    private static int even(double samples) {
        return Math.max(2, Math.toIntExact(Math.round(samples / 2) * 2));
    }

    /**
     * The bit rate of a rendition for which none is given: 3 Mbit/s for 1280x720, in proportion to
     * the number of samples to the power of 0.85, half as much again above 32 frames per second,
     * rounded to 50 kbit/s.
     *
     * @param frameRate frames per second; 0 if unknown
     */
    public static int defaultBitrateBps(int width, int height, double frameRate) {
        double bps = HD_BPS * Math.pow(width * (double) height / HD_PIXELS, EXPONENT);
        if (frameRate > HIGH_FRAME_RATE) {
            bps *= HIGH_FRAME_RATE_FACTOR;
        }
        return Math.toIntExact(Math.max(2, Math.round(bps / STEP_BPS)) * STEP_BPS);
    }
}
