package touchline.api.demo;

import java.util.SplittableRandom;

/** Paints what does not move, once: stand and crowd, boards, grass, lines and goals. One thread. */
final class StadiumPainter {
    private static final int ROOF_BOTTOM = 34;
    private static final int STAND_BOTTOM = 196;
    private static final int BOARD_BOTTOM = 224;
    private static final int SEAT_WIDTH = 7;
    private static final int ROW_HEIGHT = 9;
    private static final int AISLE_EVERY = 33;
    private static final double STRIPE_METRES = 5.25;
    private static final int[] CROWD = {
        0x8C2B2B, 0x9A3A34, 0xB9B4AC, 0xD0CCC4, 0x33415E, 0x2C3850, 0x55504C, 0x6B5A45, 0x7A7F86
    };
    private static final int[] SKIN = {0xD9A982, 0xB98560, 0x8A5C3C, 0xE3BC98};

    private final RgbSurface surface = new RgbSurface(Ground.PANORAMA_WIDTH, Ground.HEIGHT);
    private final SplittableRandom random = new SplittableRandom(2026);

    private StadiumPainter() {}

    /** The panorama that the camera moves over. */
    static Canvas paint() {
        StadiumPainter painter = new StadiumPainter();
        painter.grass();
        painter.stand();
        painter.boards();
        painter.goal(-1);
        painter.goal(1);
        return painter.surface.toCanvas();
    }

    private void grass() {
        for (int y = BOARD_BOTTOM; y < Ground.HEIGHT; y++) {
            for (int x = 0; x < Ground.PANORAMA_WIDTH; x++) {
                int red = 0;
                int green = 0;
                int blue = 0;
                for (int i = 0; i < 4; i++) {
                    int rgb = groundAt(x + 0.25 + 0.5 * (i & 1), y + 0.25 + 0.5 * (i >> 1));
                    red += rgb >> 16 & 0xFF;
                    green += rgb >> 8 & 0xFF;
                    blue += rgb & 0xFF;
                }
                int grain = random.nextInt(-3, 4);
                surface.set(x, y, red / 4 + grain, green / 4 + grain, blue / 4 + grain);
            }
        }
    }

    private static int groundAt(double screenX, double screenY) {
        double z = Ground.worldZ(screenY);
        double x = Ground.worldX(screenX, z);
        if (PitchMarkings.isLine(x, z)) {
            return 0xE9EFE6;
        }
        boolean inside = Math.abs(x) < Ground.HALF_LENGTH + 3 && z > -3;
        if (!inside) {
            return 0x2F6B33;
        }
        long stripe = Math.floorMod((long) Math.floor(x / STRIPE_METRES), 2L);
        // Lit from above the middle; the corners are a little darker.
        double light = 1.04 - 0.12 * Math.hypot(x / 60, (z - 34) / 60);
        int rgb = stripe == 0 ? 0x3F8F3E : 0x377F37;
        return RgbSurface.lit(rgb, light);
    }

    private void stand() {
        surface.box(0, 0, Ground.PANORAMA_WIDTH, ROOF_BOTTOM, 0x171B24);
        for (int x = 40; x < Ground.PANORAMA_WIDTH; x += 96) {
            surface.box(x, ROOF_BOTTOM - 9, 44, 4, 0xE8ECF2);
        }
        for (int y = ROOF_BOTTOM; y < STAND_BOTTOM; y += ROW_HEIGHT) {
            double light = 0.45 + 0.5 * (y - ROOF_BOTTOM) / (STAND_BOTTOM - ROOF_BOTTOM);
            surface.box(
                    0,
                    y,
                    Ground.PANORAMA_WIDTH,
                    Math.min(ROW_HEIGHT, STAND_BOTTOM - y),
                    RgbSurface.lit(0x3A404B, light));
            for (int seat = 0; seat * SEAT_WIDTH < Ground.PANORAMA_WIDTH; seat++) {
                boolean aisle = seat % AISLE_EVERY < 2;
                if (!aisle && random.nextInt(100) < 88) {
                    spectator(seat * SEAT_WIDTH + random.nextInt(2), y, light);
                }
            }
        }
        surface.box(0, STAND_BOTTOM - 4, Ground.PANORAMA_WIDTH, 4, 0x20242C);
    }

    private void spectator(int x, int y, double light) {
        int body = RgbSurface.lit(CROWD[random.nextInt(CROWD.length)], light);
        int skin = RgbSurface.lit(SKIN[random.nextInt(SKIN.length)], light);
        surface.box(x + 1, y + 4, SEAT_WIDTH - 2, 5, body);
        surface.box(x + 2, y + 1, 3, 3, skin);
    }

    private void boards() {
        String[] texts = {"TOUCHLINE", "LIVE", "SELF-HOSTED", "LOW LATENCY"};
        int[] colours = {0x14264A, 0xB3202B, 0x1E1E22, 0x0E5A3A};
        int width = 256;
        for (int x = 0, i = 0; x < Ground.PANORAMA_WIDTH; x += width, i++) {
            int top = STAND_BOTTOM;
            surface.box(x, top, width, BOARD_BOTTOM - top, colours[i % colours.length]);
            String text = texts[i % texts.length];
            int left = x + (width - BitmapFont.widthOf(text, 3)) / 2;
            surface.text(left, top + 4, 3, text, 0xF2F2EC);
            surface.box(x, BOARD_BOTTOM - 2, width, 2, 0x101216);
        }
    }

    /** The goal is seen from the side: posts, bar, and a net behind. */
    private void goal(int side) {
        double near = Ground.PITCH_WIDTH / 2 - 3.66;
        double far = Ground.PITCH_WIDTH / 2 + 3.66;
        double line = side * Ground.HALF_LENGTH;
        double back = side * (Ground.HALF_LENGTH + 2.2);
        double height = 2.44 * MatchPainter.FIGURE_SCALE;
        for (int i = 0; i <= 8; i++) {
            double z = near + (far - near) * i / 8;
            surface.line(point(line, z, height), point(back, z, height * 0.75), 0.8, 0xB8C0BC);
            surface.line(point(back, z, height * 0.75), point(back, z, 0), 0.8, 0xB8C0BC);
            double h = height * i / 8;
            surface.line(point(back, near, h * 0.75), point(back, far, h * 0.75), 0.8, 0xB8C0BC);
            surface.line(point(line, far, h), point(back, far, h * 0.75), 0.8, 0xB8C0BC);
        }
        surface.line(point(line, far, 0), point(line, far, height), 3, 0xDADDDC);
        surface.line(point(line, far, height), point(line, near, height), 3.2, 0xF4F4F4);
        surface.line(point(line, near, height), point(line, near, 0), 4, 0xF8F8F8);
    }

    private static RgbSurface.Point point(double x, double z, double height) {
        return new RgbSurface.Point(
                Ground.screenX(x, z), Ground.screenY(z) - height * Ground.scale(z));
    }
}
