package touchline.media.ffmpeg;

import touchline.media.codec.VideoSequence;

/**
 * Size and colours of a frame in YUV 4:2:0, 8 bits a sample. Immutable, any thread.
 *
 * @param width luma samples in a row, 1 to 8192
 * @param height luma rows, 1 to 8192
 * @param colour colour description of the samples
 */
public record FrameFormat(int width, int height, Colour colour) {
    /** Maximum width and height of a frame. */
    public static final int MAX_SIDE = VideoSequence.MAX_SIDE;

    public FrameFormat {
        check("width", width);
        check("height", height);
    }

    /** Returns the samples in a row of U and V. */
    public int chromaWidth() {
        return (width + 1) / 2;
    }

    /** Returns the rows of U and V. */
    public int chromaHeight() {
        return (height + 1) / 2;
    }

    private static void check(String field, int value) {
        if (value < 1 || value > MAX_SIDE) {
            throw new IllegalArgumentException(field + ": " + value + " (1.." + MAX_SIDE + ")");
        }
    }
}
