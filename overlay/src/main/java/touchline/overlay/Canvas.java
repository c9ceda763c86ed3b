package touchline.overlay;

import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;

/**
 * Size and colours of the frames that layers are drawn on. Immutable, any thread.
 *
 * @param width luma samples in a row, even
 * @param height luma rows, even
 * @param colour fully specified
 */
public record Canvas(int width, int height, Colour colour) {
    public Canvas {
        if (width < 2 || height < 2 || width % 2 != 0 || height % 2 != 0) {
            throw new IllegalArgumentException(
                    "canvas: %dx%d (expected: even)".formatted(width, height));
        }
    }

    /** Canvas of decoded frames: drops an odd last column or row, as H.264 encoders need it. */
    static Canvas of(FrameFormat format) {
        return new Canvas(
                Math.max(2, format.width() & ~1),
                Math.max(2, format.height() & ~1),
                format.colour().orUsual(format.height()));
    }

    FrameFormat format() {
        return new FrameFormat(width, height, colour);
    }
}
