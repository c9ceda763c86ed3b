package touchline.media.transcode;

import java.util.List;
import java.util.OptionalInt;

/**
 * Requested output of a transcoding. Immutable, any thread.
 *
 * @param heights displayed heights in lines, each even, 16 to 4320; empty: the source's height;
 *     several only for formats with several sizes
 * @param videoBitrateBps of the largest size; empty: derived from size and content
 * @param audioBitrateBps empty: derived from the channel count
 * @param renditions the source's size, and below it the renditions of a live stream with {@code
 *     "auto"}; only for HLS, without {@code heights}
 */
public record TranscodeRequest(
        FileFormat format,
        List<Integer> heights,
        OptionalInt videoBitrateBps,
        OptionalInt audioBitrateBps,
        boolean renditions) {
    public static final int MIN_HEIGHT = 16;
    public static final int MAX_HEIGHT = 4_320;
    public static final int MIN_VIDEO_BPS = 50_000;
    public static final int MAX_VIDEO_BPS = 100_000_000;
    public static final int MIN_AUDIO_BPS = 16_000;
    public static final int MAX_AUDIO_BPS = 512_000;
    public static final int MAX_HEIGHTS = 6;

    public TranscodeRequest {
        heights = List.copyOf(heights);
        if (heights.size() > (format.takesLadder() ? MAX_HEIGHTS : 1)) {
            throw new IllegalArgumentException("heights: " + heights.size());
        }
        if (renditions && (!format.takesRenditions() || !heights.isEmpty())) {
            throw new IllegalArgumentException("renditions: " + format + " " + heights);
        }
        for (int height : heights) {
            require("height", height, MIN_HEIGHT, MAX_HEIGHT);
            require("height % 2", height % 2, 0, 0);
        }
        videoBitrateBps.ifPresent(bps -> require("video", bps, MIN_VIDEO_BPS, MAX_VIDEO_BPS));
        audioBitrateBps.ifPresent(bps -> require("audio", bps, MIN_AUDIO_BPS, MAX_AUDIO_BPS));
    }

    /** Without renditions. */
    public TranscodeRequest(
            FileFormat format,
            List<Integer> heights,
            OptionalInt videoBitrateBps,
            OptionalInt audioBitrateBps) {
        this(format, heights, videoBitrateBps, audioBitrateBps, /* renditions= */ false);
    }

    private static void require(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + ": " + value + " (" + min + ".." + max + ")");
        }
    }

    /** Returns a request that keeps size and bit rates of the source. */
    public static TranscodeRequest of(FileFormat format) {
        return new TranscodeRequest(format, List.of(), OptionalInt.empty(), OptionalInt.empty());
    }

    public TranscodeRequest withHeights(Integer... newHeights) {
        return new TranscodeRequest(
                format, List.of(newHeights), videoBitrateBps, audioBitrateBps, renditions);
    }

    public TranscodeRequest withRenditions() {
        return new TranscodeRequest(
                format, heights, videoBitrateBps, audioBitrateBps, /* renditions= */ true);
    }
}
