package touchline.api.demo;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;

/** Colours, and images to draw on. No window system and no font is used. */
final class Paints {
    static final Color WHITE = new Color(0xF4F4F4);

    private Paints() {}

    /** Brightness times {@code light}, at most white. */
    static Color lit(int rgb, double light) {
        return new Color(
                Math.min(255, (int) ((rgb >> 16 & 0xFF) * light)),
                Math.min(255, (int) ((rgb >> 8 & 0xFF) * light)),
                Math.min(255, (int) ((rgb & 0xFF) * light)));
    }

    /** Draws shapes with soft edges; the caller disposes of it. */
    static Graphics2D smooth(BufferedImage image) {
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(
                RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        return graphics;
    }
}
