package touchline.moderation;

import java.util.List;

/**
 * A rectangle in a frame, as fractions of its width and height. Immutable, any thread.
 *
 * @param x left edge, 0 to 1
 * @param y top edge, 0 to 1
 * @param width 0 to 1 - x
 * @param height 0 to 1 - y
 */
public record Box(double x, double y, double width, double height) {
    /** The whole frame: the box of a classifier. */
    public static final Box WHOLE = new Box(0, 0, 1, 1);

    /** The box of a detector that found nothing. */
    public static final Box NONE = new Box(0, 0, 0, 0);

    public Box {
        if (!(x >= 0 && y >= 0 && width >= 0 && height >= 0 && x <= 1 && y <= 1)) {
            throw new IllegalArgumentException(
                    "box: %s, %s, %s, %s (0..1)".formatted(x, y, width, height));
        }
        width = Math.min(width, 1 - x);
        height = Math.min(height, 1 - y);
    }

    /** The rectangle between two corners, clipped to the frame. */
    public static Box ofCorners(double left, double top, double right, double bottom) {
        double x = Math.clamp(left, 0.0, 1.0);
        double y = Math.clamp(top, 0.0, 1.0);
        return new Box(
                x,
                y,
                Math.max(0, Math.clamp(right, 0.0, 1.0) - x),
                Math.max(0, Math.clamp(bottom, 0.0, 1.0) - y));
    }

    /** {@code [x, y, width, height]}. */
    public List<Double> toList() {
        return List.of(x, y, width, height);
    }

    /** Area of the intersection divided by the area of the union; 0 when both are empty. */
    public double intersectionOverUnion(Box other) {
        double w = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
        double h = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
        double shared = Math.max(0, w) * Math.max(0, h);
        double covered = width * height + other.width * other.height - shared;
        return covered <= 0 ? 0 : shared / covered;
    }
}
