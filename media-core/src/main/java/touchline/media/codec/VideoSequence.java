package touchline.media.codec;

/**
 * What a decoder allocates memory for: the frames of a coded video sequence, before cropping.
 * Immutable, any thread.
 *
 * @param width coded luma samples a row, 1 to 8192
 * @param height coded luma rows, 1 to 8192
 * @param chromaFormatIdc 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4
 * @param bitDepth of a sample, the larger one of luma and chroma
 * @param referenceFrames frames that a decoder keeps for references and order, at most
 */
public record VideoSequence(
        int width, int height, int chromaFormatIdc, int bitDepth, int referenceFrames) {
    /** Maximum width and height. */
    public static final int MAX_SIDE = 8192;

    /** Maximum luma samples of a frame that is decoded. */
    public static final long MAX_DECODED_PIXELS = 4_096L * 4_096;

    /**
     * @throws MalformedMediaException if a side is empty
     * @throws DecodingRefusedException if a side is longer than {@value #MAX_SIDE}
     */
    public VideoSequence {
        if (width < 1 || height < 1) {
            throw new MalformedMediaException("frame size: %dx%d".formatted(width, height));
        }
        if (width > MAX_SIDE || height > MAX_SIDE) {
            throw new DecodingRefusedException(
                    DecodingRefusedException.Limit.FRAME_SIZE,
                    "frame size: %dx%d (expected: at most %dx%d)"
                            .formatted(width, height, MAX_SIDE, MAX_SIDE));
        }
    }

    /**
     * Checks that a frame is small enough to be decoded.
     *
     * @throws DecodingRefusedException if it has more than {@link #MAX_DECODED_PIXELS}
     */
    public void requireDecodable() {
        if (pixels() > MAX_DECODED_PIXELS) {
            throw new DecodingRefusedException(
                    DecodingRefusedException.Limit.FRAME_SIZE,
                    "frame size: %dx%d (expected: at most %d pixels)"
                            .formatted(width, height, MAX_DECODED_PIXELS));
        }
    }

    /** Returns the luma samples of a frame. */
    public long pixels() {
        return (long) width * height;
    }

    /** Returns the bytes of a decoded frame. */
    public long frameBytes() {
        long samples =
                switch (chromaFormatIdc) {
                    case 0 -> pixels();
                    case 1 -> pixels() * 3 / 2;
                    case 2 -> pixels() * 2;
                    default -> pixels() * 3;
                };
        return samples * (bitDepth > 8 ? 2 : 1);
    }
}
