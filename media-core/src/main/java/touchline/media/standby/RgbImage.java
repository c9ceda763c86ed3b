package touchline.media.standby;

/** An image in memory. Not thread-safe: the receiver owns it and may change the pixels. */
public final class RgbImage {
    private final int width;
    private final int height;
    private final int[] pixels;

    /**
     * @param width pixels in a row, even
     * @param height rows, even
     * @param pixels {@code width * height} values {@code 0xRRGGBB}, rows from top to bottom; taken
     *     over
     */
    public RgbImage(int width, int height, int[] pixels) {
        if (width < 2 || height < 2 || width % 2 != 0 || height % 2 != 0) {
            throw new IllegalArgumentException(width + "x" + height + " (even, at least 2)");
        }
        if (pixels.length != Math.multiplyExact(width, height)) {
            throw new IllegalArgumentException(
                    pixels.length + " pixels (expected: " + width + "x" + height + ")");
        }
        this.width = width;
        this.height = height;
        this.pixels = pixels;
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    /** A pixel as {@code 0xRRGGBB}. */
    int pixel(int x, int y) {
        return pixels[y * width + x];
    }
}
