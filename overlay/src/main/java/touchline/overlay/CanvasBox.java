package touchline.overlay;

/**
 * A rectangle of whole pixels in the main frame; it may reach beyond the frame's edges. Immutable,
 * any thread.
 *
 * @param x left edge; may be negative
 * @param y upper edge; may be negative
 * @param width 1 to {@value #MAX_SIDE}
 * @param height 1 to {@value #MAX_SIDE}
 */
public record CanvasBox(int x, int y, int width, int height) {
    public static final int MAX_SIDE = 8192;

    public CanvasBox {
        if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) {
            throw new IllegalArgumentException(
                    "box: %dx%d (1..%d)".formatted(width, height, MAX_SIDE));
        }
    }
}
