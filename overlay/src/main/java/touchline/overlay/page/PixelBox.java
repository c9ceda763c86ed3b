package touchline.overlay.page;

/**
 * A rectangle of whole pixels, at least one. Immutable, any thread.
 *
 * @param x left edge
 * @param y upper edge
 */
public record PixelBox(int x, int y, int width, int height) {
    public PixelBox {
        if (x < 0 || y < 0 || width < 1 || height < 1) {
            throw new IllegalArgumentException(
                    "box: %dx%d at (%d, %d)".formatted(width, height, x, y));
        }
    }

    /** The smallest box around both. */
    public PixelBox with(PixelBox other) {
        int left = Math.min(x, other.x);
        int top = Math.min(y, other.y);
        int right = Math.max(x + width, other.x + other.width);
        int bottom = Math.max(y + height, other.y + other.height);
        return new PixelBox(left, top, right - left, bottom - top);
    }
}
