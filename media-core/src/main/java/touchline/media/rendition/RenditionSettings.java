package touchline.media.rendition;

import java.util.List;

/**
 * The renditions that a live stream asks for. Immutable, any thread.
 *
 * @param auto the server chooses them by the source's size; {@code renditions} is empty then
 * @param renditions in the order of the request, at most {@link #MAX_RENDITIONS}, each height once
 */
public record RenditionSettings(boolean auto, List<Rendition> renditions) {
    public static final int MAX_RENDITIONS = 5;

    /** The source alone. */
    public static final RenditionSettings NONE = new RenditionSettings(false, List.of());

    public static final RenditionSettings AUTO = new RenditionSettings(true, List.of());

    public RenditionSettings {
        renditions = List.copyOf(renditions);
        if (renditions.size() > MAX_RENDITIONS || (auto && !renditions.isEmpty())) {
            throw new IllegalArgumentException(
                    "renditions: %d (expected: at most %d)"
                            .formatted(renditions.size(), auto ? 0 : MAX_RENDITIONS));
        }
    }

    /** Whether nothing but the source is wanted. */
    public boolean isEmpty() {
        return !auto && renditions.isEmpty();
    }

    /**
     * One rendition.
     *
     * @param height length of the shorter side: even, 144 to 2160
     * @param videoBitrateBps 100 000 to 50 000 000; 0 for {@link Ladder#defaultBitrateBps}
     * @param frameRate frames per second, 1 to 120; 0 for the source's
     */
    public record Rendition(int height, int videoBitrateBps, double frameRate) {
        public static final int MIN_HEIGHT = 144;
        public static final int MAX_HEIGHT = 2160;
        public static final int MIN_BITRATE_BPS = 100_000;
        public static final int MAX_BITRATE_BPS = 50_000_000;
        public static final int MIN_FRAME_RATE = 1;
        public static final int MAX_FRAME_RATE = 120;

        public Rendition {
            if (height < MIN_HEIGHT || height > MAX_HEIGHT || height % 2 != 0) {
                throw new IllegalArgumentException("height: " + height + " (even, 144 to 2160)");
            }
            boolean rateGiven = videoBitrateBps != 0;
            if (rateGiven
                    && (videoBitrateBps < MIN_BITRATE_BPS || videoBitrateBps > MAX_BITRATE_BPS)) {
                throw new IllegalArgumentException("video_bitrate: " + videoBitrateBps);
            }
            if (frameRate != 0 && !(frameRate >= MIN_FRAME_RATE && frameRate <= MAX_FRAME_RATE)) {
                throw new IllegalArgumentException("frame_rate: " + frameRate + " (1 to 120)");
            }
        }

        /** A rendition with the default bit rate and the source's frame rate. */
        public static Rendition of(int height) {
            return new Rendition(height, 0, 0);
        }
    }
}
