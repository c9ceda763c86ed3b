package touchline.api.demo;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Path2D;
import java.util.List;
import touchline.api.programme.BitmapFont;

/**
 * A banner that is carried through the crowd from right to left, once a minute, in turns of
 * saturated cyan and magenta: the demo's moderation models report it. It covers 5 % of the frame,
 * and crosses the gap between the scoreboard and the clocks. Stateless.
 */
final class Banner {
    static final int WIDTH = 340;
    static final int HEIGHT = 148;
    static final double FIRST_SECONDS = 15;
    static final double PERIOD_SECONDS = 60;
    static final double WALK_SECONDS = 12;

    private static final List<Color> COLOURS = List.of(Color.CYAN, Color.MAGENTA);
    private static final String TEXT = "MODERATION TEST";
    private static final int TOP = StadiumPainter.ROOF_BOTTOM + 6;
    private static final int TEXT_SCALE = 3;
    private static final int STEP = 20;
    private static final double WAVE = 3;

    private Banner() {}

    /** Whether the banner is in the frame. */
    static boolean isShown(double matchSeconds) {
        return sinceStart(matchSeconds) >= 0 && sinceStart(matchSeconds) < WALK_SECONDS;
    }

    /** Draws the banner of this moment of the match, where there is one. */
    static void draw(Graphics2D graphics, double matchSeconds) {
        if (!isShown(matchSeconds)) {
            return;
        }
        double seconds = sinceStart(matchSeconds);
        double way = MatchPainter.WIDTH + (double) WIDTH;
        int left = (int) Math.round(MatchPainter.WIDTH - way * seconds / WALK_SECONDS);
        Path2D cloth = new Path2D.Double();
        cloth.moveTo(left, TOP + wave(0, seconds));
        for (int x = STEP; x <= WIDTH; x += STEP) {
            cloth.lineTo(left + x, TOP + wave(x, seconds));
        }
        for (int x = WIDTH; x >= 0; x -= STEP) {
            cloth.lineTo(left + x, TOP + HEIGHT + wave(x, seconds));
        }
        cloth.closePath();
        int number = (int) ((matchSeconds - FIRST_SECONDS) / PERIOD_SECONDS);
        graphics.setColor(COLOURS.get(number % COLOURS.size()));
        graphics.fill(cloth);
        graphics.setColor(Color.BLACK);
        int textLeft = left + (WIDTH - BitmapFont.widthOf(TEXT, TEXT_SCALE)) / 2;
        int textTop = TOP + (HEIGHT - BitmapFont.ROWS * TEXT_SCALE) / 2;
        BitmapFont.draw(graphics, new BitmapFont.Place(textLeft, textTop, TEXT_SCALE), TEXT);
    }

    /** Seconds since the last banner came; negative before the first. */
    private static double sinceStart(double matchSeconds) {
        double since = matchSeconds - FIRST_SECONDS;
        return since < 0 ? since : since % PERIOD_SECONDS;
    }

    private static double wave(int x, double seconds) {
        return WAVE * Math.sin(x / 45.0 + 4 * seconds);
    }
}
