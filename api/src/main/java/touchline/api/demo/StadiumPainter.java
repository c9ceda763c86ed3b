package touchline.api.demo;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RadialGradientPaint;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.SplittableRandom;
import touchline.api.programme.BitmapFont;

/** Paints what does not move, once: stand and crowd, boards, grass, lines and goals. One thread. */
final class StadiumPainter {
    static final int ROOF_BOTTOM = 34;
    static final int STAND_BOTTOM = 196;

    private static final int BOARD_BOTTOM = 224;
    private static final int SEAT_WIDTH = 7;
    private static final int ROW_HEIGHT = 9;
    private static final int AISLE_EVERY = 33;
    private static final double STRIPE_METRES = 5.25;
    private static final int STRIPES = 22;
    private static final double FAR_Z = 80;
    private static final int[] CROWD = {
        0x8C2B2B, 0x9A3A34, 0xB9B4AC, 0xD0CCC4, 0x33415E, 0x2C3850, 0x55504C, 0x6B5A45, 0x7A7F86
    };
    private static final int[] SKIN = {0xD9A982, 0xB98560, 0x8A5C3C, 0xE3BC98};

    private final BufferedImage image =
            new BufferedImage(Ground.PANORAMA_WIDTH, Ground.HEIGHT, BufferedImage.TYPE_INT_RGB);
    private final Graphics2D graphics = Paints.smooth(image);
    private final SplittableRandom random = new SplittableRandom(2026);

    private StadiumPainter() {}

    /** The panorama that the camera moves over. */
    static BufferedImage paint() {
        StadiumPainter painter = new StadiumPainter();
        painter.grass();
        painter.stand();
        painter.boards();
        painter.goal(-1);
        painter.goal(1);
        painter.graphics.dispose();
        return painter.image;
    }

    private void grass() {
        box(0, BOARD_BOTTOM, Ground.PANORAMA_WIDTH, Ground.HEIGHT, new Color(0x2F6B33));
        for (int i = 0; i < STRIPES; i++) {
            double left = (i - STRIPES / 2) * STRIPE_METRES;
            graphics.setColor(new Color(i % 2 == 0 ? 0x3F8F3E : 0x377F37));
            graphics.fill(
                    Ground.projected(new Rectangle2D.Double(left, -3, STRIPE_METRES, FAR_Z + 3)));
        }
        graphics.setColor(new Color(0xE9EFE6));
        for (Shape line : PitchMarkings.shapes()) {
            graphics.fill(Ground.projected(line));
        }
        // Lit from above the middle; the corners are a little darker.
        graphics.setPaint(
                new RadialGradientPaint(
                        Ground.point(0, 34, 0),
                        1_200,
                        new float[] {0, 1},
                        new Color[] {new Color(0, true), new Color(0x38000000, true)}));
        graphics.fillRect(0, BOARD_BOTTOM, Ground.PANORAMA_WIDTH, Ground.HEIGHT - BOARD_BOTTOM);
        grain();
    }

    private void grain() {
        for (int y = BOARD_BOTTOM; y < Ground.HEIGHT; y++) {
            for (int x = 0; x < Ground.PANORAMA_WIDTH; x++) {
                int grain = random.nextInt(-3, 4);
                image.setRGB(x, y, image.getRGB(x, y) + grain * 0x010101);
            }
        }
    }

    private void stand() {
        box(0, 0, Ground.PANORAMA_WIDTH, ROOF_BOTTOM, new Color(0x171B24));
        for (int x = 40; x < Ground.PANORAMA_WIDTH; x += 96) {
            box(x, ROOF_BOTTOM - 9, 44, 4, new Color(0xE8ECF2));
        }
        for (int y = ROOF_BOTTOM; y < STAND_BOTTOM; y += ROW_HEIGHT) {
            double light = 0.45 + 0.5 * (y - ROOF_BOTTOM) / (STAND_BOTTOM - ROOF_BOTTOM);
            box(0, y, Ground.PANORAMA_WIDTH, ROW_HEIGHT, Paints.lit(0x3A404B, light));
            for (int seat = 0; seat * SEAT_WIDTH < Ground.PANORAMA_WIDTH; seat++) {
                boolean aisle = seat % AISLE_EVERY < 2;
                if (!aisle && random.nextInt(100) < 88) {
                    spectator(seat * SEAT_WIDTH + random.nextInt(2), y, light);
                }
            }
        }
        box(0, STAND_BOTTOM - 4, Ground.PANORAMA_WIDTH, 4, new Color(0x20242C));
    }

    private void spectator(int x, int y, double light) {
        box(x + 1, y + 4, SEAT_WIDTH - 2, 5, Paints.lit(oneOf(CROWD), light));
        box(x + 2, y + 1, 3, 3, Paints.lit(oneOf(SKIN), light));
    }

    private void boards() {
        String[] texts = {"TOUCHLINE", "LIVE", "SELF-HOSTED", "LOW LATENCY"};
        int[] colours = {0x14264A, 0xB3202B, 0x1E1E22, 0x0E5A3A};
        int width = 256;
        for (int x = 0, i = 0; x < Ground.PANORAMA_WIDTH; x += width, i++) {
            int height = BOARD_BOTTOM - STAND_BOTTOM;
            box(x, STAND_BOTTOM, width, height, new Color(colours[i % colours.length]));
            String text = texts[i % texts.length];
            int left = x + (width - BitmapFont.widthOf(text, 3)) / 2;
            graphics.setColor(new Color(0xF2F2EC));
            BitmapFont.draw(graphics, new BitmapFont.Place(left, STAND_BOTTOM + 4, 3), text);
            box(x, BOARD_BOTTOM - 2, width, 2, new Color(0x101216));
        }
    }

    /** The goal is seen from the side: posts, bar, and a net behind. */
    private void goal(int side) {
        double near = Ground.PITCH_WIDTH / 2 - 3.66;
        double far = Ground.PITCH_WIDTH / 2 + 3.66;
        double line = side * Ground.HALF_LENGTH;
        double back = side * (Ground.HALF_LENGTH + 2.2);
        double height = 2.44 * MatchPainter.FIGURE_SCALE;
        graphics.setColor(new Color(0xB8C0BC));
        for (int i = 0; i <= 8; i++) {
            double z = near + (far - near) * i / 8;
            line(0.8, Ground.point(line, z, height), Ground.point(back, z, height * 0.75));
            line(0.8, Ground.point(back, z, height * 0.75), Ground.point(back, z, 0));
            double h = height * i / 8;
            line(0.8, Ground.point(back, near, h * 0.75), Ground.point(back, far, h * 0.75));
            line(0.8, Ground.point(line, far, h), Ground.point(back, far, h * 0.75));
        }
        graphics.setColor(new Color(0xDADDDC));
        line(3, Ground.point(line, far, 0), Ground.point(line, far, height));
        graphics.setColor(new Color(0xF6F6F6));
        line(3.2, Ground.point(line, far, height), Ground.point(line, near, height));
        line(4, Ground.point(line, near, height), Ground.point(line, near, 0));
    }

    private void line(double width, Point2D from, Point2D to) {
        graphics.setStroke(
                new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        graphics.draw(new Line2D.Double(from, to));
    }

    private void box(int left, int top, int width, int height, Color colour) {
        graphics.setColor(colour);
        graphics.fillRect(left, top, width, height);
    }

    private int oneOf(int[] colours) {
        return colours[random.nextInt(colours.length)];
    }
}
