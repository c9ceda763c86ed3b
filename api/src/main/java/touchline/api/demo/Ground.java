package touchline.api.demo;

/**
 * How the ground is seen: from a stand at the middle line, high above the near touchline. World:
 * metres, x along the pitch from the middle, z into the frame from the near touchline. Panorama:
 * samples of a frame that is wider than what the camera shows.
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

    private Ground() {}

    static double screenX(double x, double z) {
        return PANORAMA_WIDTH / 2.0 + ZOOM * x / (NEAR_DEPTH + z);
    }

    static double screenY(double z) {
        return HORIZON + DROP / (NEAR_DEPTH + z);
    }

    /** Samples a metre takes at this depth. */
    static double scale(double z) {
        return ZOOM / (NEAR_DEPTH + z);
    }

    static double worldZ(double screenY) {
        return DROP / (screenY - HORIZON) - NEAR_DEPTH;
    }

    static double worldX(double screenX, double z) {
        return (screenX - PANORAMA_WIDTH / 2.0) * (NEAR_DEPTH + z) / ZOOM;
    }
}
