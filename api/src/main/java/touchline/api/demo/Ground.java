package touchline.api.demo;

import java.awt.Shape;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.awt.geom.Point2D;

/**
 * The camera: it stands at the middle line, high above the near touchline. World: metres, x along
 * the pitch from the middle, z into the frame from the near touchline. Panorama: pixels of an image
 * that is wider than the frame.
 */
final class Ground {
    static final int PANORAMA_WIDTH = 2048;
    static final int HEIGHT = 720;
    static final double HALF_LENGTH = 52.5;
    static final double PITCH_WIDTH = 68;

    // A pinhole camera: y = HORIZON + DROP / depth, x = middle + ZOOM * x / depth.
    private static final double NEAR_DEPTH = 60;
    private static final double HORIZON = -149;
    private static final double DROP = 48_565;
    private static final double ZOOM = 1_020;

    /** Largest distance of a curve from its polygon, metres. */
    private static final double FLATNESS = 0.01;

    private Ground() {}

    static double screenX(double x, double z) {
        return PANORAMA_WIDTH / 2.0 + ZOOM * x / (NEAR_DEPTH + z);
    }

    static double screenY(double z) {
        return HORIZON + DROP / (NEAR_DEPTH + z);
    }

    /** Pixels of a metre at this depth. */
    static double scale(double z) {
        return ZOOM / (NEAR_DEPTH + z);
    }

    /** A place above the ground, in the panorama. */
    static Point2D point(double x, double z, double height) {
        return new Point2D.Double(screenX(x, z), screenY(z) - height * scale(z));
    }

    /** A shape on the ground (x, z), as the panorama shows it. */
    static Shape projected(Shape ground) {
        Path2D projected = new Path2D.Double(Path2D.WIND_NON_ZERO);
        double[] at = new double[6];
        // Straight lines stay straight: only corners are projected.
        PathIterator path = ground.getPathIterator(null, FLATNESS);
        for (; !path.isDone(); path.next()) {
            int segment = path.currentSegment(at);
            switch (segment) {
                case PathIterator.SEG_MOVETO ->
                        projected.moveTo(screenX(at[0], at[1]), screenY(at[1]));
                case PathIterator.SEG_LINETO ->
                        projected.lineTo(screenX(at[0], at[1]), screenY(at[1]));
                case PathIterator.SEG_CLOSE -> projected.closePath();
                default -> throw new IllegalStateException("segment: " + segment + " (flat path)");
            }
        }
        return projected;
    }
}
