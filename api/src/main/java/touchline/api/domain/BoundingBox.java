package touchline.api.domain;

/**
 * Where in a frame something is, as fractions of the frame's width and height. Immutable.
 *
 * @param x of its left edge
 * @param y of its top edge
 */
public record BoundingBox(double x, double y, double width, double height) {
    /** The whole frame: what a classifier speaks of. */
    public static final BoundingBox FRAME = new BoundingBox(0, 0, 1, 1);
}
