package touchline.overlay;

import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;

/**
 * What layers are drawn on: the main frame's size and colours. Immutable, any thread.
 *
 * @param width luma samples in a row, even
 * @param height luma rows, even
 * @param colour what the samples mean, nothing of it unspecified
 */
public record Canvas(int width, int height, Colour colour) {
    public Canvas {
        if (width < 2 || height < 2 || width % 2 != 0 || height % 2 != 0) {
            throw new IllegalArgumentException(
                    "canvas: %dx%d (expected: even)".formatted(width, height));
        }
    }

    /** Of decoded frames: a last odd column or row is left out, as H.264 encoders want it. */
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
