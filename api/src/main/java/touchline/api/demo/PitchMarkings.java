package touchline.api.demo;

/**
 * Where the white lines are (Laws of the Game, law 1: metres). World coordinates as in {@link
 * Ground}.
 */
final class PitchMarkings {
    private static final double HALF_LINE = 0.11;
    private static final double MIDDLE_Z = Ground.PITCH_WIDTH / 2;
    private static final double CIRCLE = 9.15;
    private static final double CORNER_ARC = 1;
    private static final double SPOT = 11;
    private static final double AREA_DEPTH = 16.5;
    private static final double AREA_HALF_WIDTH = 20.16;
    private static final double GOAL_AREA_DEPTH = 5.5;
    private static final double GOAL_AREA_HALF_WIDTH = 9.16;

    private PitchMarkings() {}

    static boolean isLine(double x, double z) {
        // Both halves are alike, and both sides: only a quarter needs rules.
        double fromEnd = Ground.HALF_LENGTH - Math.abs(x);
        double fromSide = Math.min(z, Ground.PITCH_WIDTH - z);
        double fromMiddle = Math.abs(z - MIDDLE_Z);
        if (fromEnd < -HALF_LINE || fromSide < -HALF_LINE) {
            return false;
        }
        boolean border = fromEnd < HALF_LINE || fromSide < HALF_LINE;
        return border
                || isMiddle(x, fromMiddle)
                || isArea(fromEnd, fromMiddle)
                || near(Math.hypot(fromEnd, fromSide), CORNER_ARC);
    }

    private static boolean isMiddle(double x, double fromMiddle) {
        double radius = Math.hypot(x, fromMiddle);
        return Math.abs(x) < HALF_LINE || near(radius, CIRCLE) || radius < 2 * HALF_LINE;
    }

    private static boolean isArea(double fromEnd, double fromMiddle) {
        if (isBox(fromEnd, fromMiddle, AREA_DEPTH, AREA_HALF_WIDTH)
                || isBox(fromEnd, fromMiddle, GOAL_AREA_DEPTH, GOAL_AREA_HALF_WIDTH)) {
            return true;
        }
        double fromSpot = Math.hypot(fromEnd - SPOT, fromMiddle);
        boolean arc = fromEnd > AREA_DEPTH && near(fromSpot, CIRCLE);
        return arc || fromSpot < 2 * HALF_LINE;
    }

    private static boolean isBox(
            double fromEnd, double fromMiddle, double depth, double halfWidth) {
        boolean across = near(fromEnd, depth) && fromMiddle < halfWidth + HALF_LINE;
        boolean along = near(fromMiddle, halfWidth) && fromEnd < depth + HALF_LINE;
        return across || along;
    }

    private static boolean near(double value, double line) {
        return Math.abs(value - line) < HALF_LINE;
    }
}
