package touchline.benchmarks.overlay;

import java.util.Locale;

/** The overlay of a frame of 1280x720: a box of 640x160, half of it half transparent. */
enum BoxKind {
    /** The same for all frames. */
    STATIC,
    /** Changes with each frame. */
    ANIMATED,
    /** Animated, in a transparent page as large as the frame, like most scoreboard pages. */
    PAGE;

    private static final int BOX_WIDTH = 640;
    private static final int BOX_HEIGHT = 160;
    private static final int BOX_X = 64;
    private static final int BOX_Y = 40;

    /** Frames after which an animated box repeats. */
    private static final int LOOP = 30;

    int width() {
        return this == PAGE ? 1280 : BOX_WIDTH;
    }

    int height() {
        return this == PAGE ? 720 : BOX_HEIGHT;
    }

    int x() {
        return this == PAGE ? 0 : BOX_X;
    }

    int y() {
        return this == PAGE ? 0 : BOX_Y;
    }

    /** The first row that changes from frame to frame. */
    int firstChangedRow() {
        return this == PAGE ? BOX_Y : 0;
    }

    int changedRows() {
        return BOX_HEIGHT;
    }

    boolean isAnimated() {
        return this != STATIC;
    }

    /** Number of different frames. */
    int frames() {
        return isAnimated() ? LOOP : 1;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Premultiplied R, G, B, A bytes of one frame. */
    byte[] pixels(int index) {
        byte[] pixels = new byte[width() * height() * 4];
        int first = (BOX_Y - y()) * width() + BOX_X - x();
        for (int y = 0; y < BOX_HEIGHT; y++) {
            for (int x = 0; x < BOX_WIDTH; x++) {
                int alpha = x < BOX_WIDTH / 2 ? 255 : 128;
                int at = 4 * (first + y * width() + x);
                pixels[at] = (byte) ((x + 4 * index) % 256 * alpha / 255);
                pixels[at + 1] = (byte) ((y * 2 + index) % 256 * alpha / 255);
                pixels[at + 2] = (byte) (alpha / 2);
                pixels[at + 3] = (byte) alpha;
            }
        }
        return pixels;
    }

    /** Converts to colours that are not multiplied with alpha, the format of ffmpeg. */
    static byte[] straight(byte[] premultiplied) {
        byte[] straight = premultiplied.clone();
        for (int at = 0; at < straight.length; at += 4) {
            int alpha = Math.max(1, straight[at + 3] & 0xFF);
            for (int i = at; i < at + 3; i++) {
                straight[i] = (byte) Math.min(255, (straight[i] & 0xFF) * 255 / alpha);
            }
        }
        return straight;
    }
}
