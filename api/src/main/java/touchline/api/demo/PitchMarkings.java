package touchline.api.demo;

import java.awt.BasicStroke;
import java.awt.Shape;
import java.awt.geom.Arc2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/** The white lines of the pitch (Laws of the Game, law 1: metres), in world coordinates. */
final class PitchMarkings {
    private static final BasicStroke LINE =
            new BasicStroke(0.22f, BasicStroke.CAP_SQUARE, BasicStroke.JOIN_MITER);
    private static final double MIDDLE_Z = Ground.PITCH_WIDTH / 2;
    private static final double CIRCLE = 9.15;
    private static final double CORNER_ARC = 1;
    private static final double SPOT = 11;
    private static final double SPOT_RADIUS = 0.22;
    private static final double AREA_DEPTH = 16.5;
    private static final double AREA_HALF_WIDTH = 20.16;
    private static final double GOAL_AREA_DEPTH = 5.5;
    private static final double GOAL_AREA_HALF_WIDTH = 9.16;

    private PitchMarkings() {}

    /** Shapes to fill. */
    static List<Shape> shapes() {
        List<Shape> lines = new ArrayList<>();
        double length = 2 * Ground.HALF_LENGTH;
        lines.add(new Rectangle2D.Double(-Ground.HALF_LENGTH, 0, length, Ground.PITCH_WIDTH));
        lines.add(new Line2D.Double(0, 0, 0, Ground.PITCH_WIDTH));
        lines.add(circle(0, CIRCLE));
        for (int side = -1; side <= 1; side += 2) {
            addEnd(lines, side);
        }
        List<Shape> shapes = new ArrayList<>();
        lines.forEach(line -> shapes.add(LINE.createStrokedShape(line)));
        shapes.add(circle(0, SPOT_RADIUS));
        shapes.add(circle(Ground.HALF_LENGTH - SPOT, SPOT_RADIUS));
        shapes.add(circle(SPOT - Ground.HALF_LENGTH, SPOT_RADIUS));
        return shapes;
    }

    /**
     * @param side -1 for the left end, 1 for the right one
     */
    private static void addEnd(List<Shape> lines, int side) {
        lines.add(box(side, AREA_DEPTH, AREA_HALF_WIDTH));
        lines.add(box(side, GOAL_AREA_DEPTH, GOAL_AREA_HALF_WIDTH));
        // The part of the circle around the spot that lies outside of the area.
        double half = Math.toDegrees(Math.acos((AREA_DEPTH - SPOT) / CIRCLE));
        double middle = side < 0 ? 0 : 180;
        lines.add(
                arc(side * (Ground.HALF_LENGTH - SPOT), MIDDLE_Z, CIRCLE, middle - half, 2 * half));
        lines.add(arc(side * Ground.HALF_LENGTH, 0, CORNER_ARC, side < 0 ? 270 : 180, 90));
        double far = Ground.PITCH_WIDTH;
        lines.add(arc(side * Ground.HALF_LENGTH, far, CORNER_ARC, side < 0 ? 0 : 90, 90));
    }

    private static Shape box(int side, double depth, double halfWidth) {
        double left = side < 0 ? -Ground.HALF_LENGTH : Ground.HALF_LENGTH - depth;
        return new Rectangle2D.Double(left, MIDDLE_Z - halfWidth, depth, 2 * halfWidth);
    }

    private static Shape circle(double x, double radius) {
        return new Ellipse2D.Double(x - radius, MIDDLE_Z - radius, 2 * radius, 2 * radius);
    }

    private static Shape arc(double x, double z, double radius, double start, double extent) {
        return new Arc2D.Double(
                x - radius, z - radius, 2 * radius, 2 * radius, start, extent, Arc2D.OPEN);
    }
}
