package touchline.api.demo;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import touchline.api.programme.BitmapFont;
import touchline.media.FrameView;

/**
 * Draws the match, 1280 by 720: a window of the stadium that follows the ball, the banner, the
 * figures from far to near, and the panels. The upper left corner ({@link #SCORE_AREA}) stays free
 * for a scoreboard. One thread.
 */
final class MatchPainter {
    static final int WIDTH = 1280;
    static final int HEIGHT = Ground.HEIGHT;

    /** Figures are drawn larger than life, to be visible. */
    static final double FIGURE_SCALE = 1.6;

    /** Left, top, width and height of the place without panels. */
    static final List<Integer> SCORE_AREA = List.of(24, 24, 640, 150);

    static final BitmapFont.Place MATCH_CLOCK = new BitmapFont.Place(1074, 34, 6);
    static final BitmapFont.Place WALL_CLOCK = new BitmapFont.Place(1028, 88, 3);
    static final BitmapFont.Place FRAME_COUNTER = new BitmapFont.Place(1028, 118, 3);

    private static final BitmapFont.Place NAMES = new BitmapFont.Place(72, 664, 4);
    private static final BitmapFont.Place TITLE = new BitmapFont.Place(1010, 672, 2);
    private static final Color CHIP_HOME = new Color(Kit.HOME.shirt());
    private static final Color CHIP_AWAY = new Color(Kit.AWAY.shirt());
    private static final Color QUIET = new Color(0xB8B8B8);
    private static final Color PANEL = new Color(0xC0000000, true);
    private static final double PLAYER_METRES = 1.82;

    private final BufferedImage stadium = StadiumPainter.paint();
    private final BufferedImage image =
            new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    private final Graphics2D smooth = Paints.smooth(image);
    private final Graphics2D graphics = image.createGraphics();
    private final Yuv420 converter = new Yuv420(WIDTH, HEIGHT);
    private final Figures figures = new Figures();
    private final List<MatchPlay.Mover> sorted = new ArrayList<>();
    private final String names;
    private final ZoneId zone;
    private double cameraX;

    /**
     * What the clocks show.
     *
     * @param matchSeconds whole seconds since kick-off
     * @param wall drawn in the zone given to the constructor, to the millisecond
     * @param frame number of the frame, from 0
     */
    record Clocks(long matchSeconds, Instant wall, long frame) {}

    MatchPainter(String home, String away, ZoneId zone) {
        this.names = home + "  V  " + away;
        this.zone = zone;
    }

    /** The camera moves a step; call once a frame. */
    void paint(MatchPlay play, Clocks clocks) {
        double wanted = Ground.screenX(play.ballX() * 0.9, play.ballZ()) - WIDTH / 2.0;
        double limit = Ground.PANORAMA_WIDTH - (double) WIDTH;
        cameraX += (Math.clamp(wanted, 0, limit) - cameraX) * 0.035;
        int offset = Math.clamp(Math.round(cameraX), 0, (int) limit);
        graphics.drawImage(stadium, -offset, 0, null);
        Banner.draw(smooth, play.seconds());
        drawFigures(play, offset);
        drawPanels(clocks);
    }

    /** Copies what was painted last. */
    void copyTo(FrameView videoFrame) {
        converter.copy(image, videoFrame);
    }

    private void drawFigures(MatchPlay play, int offset) {
        sorted.clear();
        sorted.addAll(play.players());
        sorted.add(play.referee());
        sorted.sort(Comparator.comparingDouble(MatchPlay.Mover::z).reversed());
        boolean ballDrawn = false;
        for (MatchPlay.Mover mover : sorted) {
            if (!ballDrawn && mover.z() < play.ballZ()) {
                drawBall(play, offset);
                ballDrawn = true;
            }
            drawPlayer(mover, offset);
        }
        if (!ballDrawn) {
            drawBall(play, offset);
        }
    }

    private void drawPlayer(MatchPlay.Mover mover, int offset) {
        int x = (int) Math.round(Ground.screenX(mover.x(), mover.z())) - offset;
        int y = (int) Math.round(Ground.screenY(mover.z()));
        int size = (int) Math.round(PLAYER_METRES * FIGURE_SCALE * Ground.scale(mover.z()));
        boolean stands = mover.speed() < 0.5;
        int pose =
                stands
                        ? Figures.STANDING
                        : (int) (mover.stride() * Figures.STRIDE) % Figures.STRIDE;
        int leaning = stands ? 0 : (int) Math.signum(mover.velocityX());
        int skin = mover.number() % 3 / 2;
        figures.drawPlayer(
                graphics, new Figures.Look(mover.kit(), size, pose, leaning, skin), x, y);
    }

    private void drawBall(MatchPlay play, int offset) {
        double scale = Ground.scale(play.ballZ());
        double radius = Math.max(3, 0.11 * 2.6 * scale);
        double x = Ground.screenX(play.ballX(), play.ballZ()) - offset;
        double y = Ground.screenY(play.ballZ());
        figures.drawShadow(smooth, radius, x, y);
        figures.drawBall(smooth, radius, x, y - radius - play.ballHeight() * scale);
    }

    private void drawPanels(Clocks clocks) {
        box(1010, 24, 246, 124, PANEL);
        long minutes = clocks.matchSeconds() / 60 % 100;
        String match = digits(minutes, 2) + ":" + digits(clocks.matchSeconds() % 60, 2);
        text(MATCH_CLOCK, match, Paints.WHITE);
        text(WALL_CLOCK, wallClock(clocks.wall()), Paints.WHITE);
        text(FRAME_COUNTER, "F " + digits(clocks.frame() % 10_000_000, 7), QUIET);

        int namesWidth = BitmapFont.widthOf(names, NAMES.scale());
        box(24, NAMES.y() - 16, namesWidth + 96, 60, PANEL);
        box(40, NAMES.y() - 2, 16, 32, CHIP_HOME);
        box(namesWidth + 88, NAMES.y() - 2, 16, 32, CHIP_AWAY);
        text(NAMES, names, Paints.WHITE);
        box(994, TITLE.y() - 12, 262, 38, PANEL);
        text(TITLE, "TOUCHLINE DEMO MATCH", QUIET);
    }

    private void box(int left, int top, int width, int height, Color colour) {
        graphics.setColor(colour);
        graphics.fillRect(left, top, width, height);
    }

    private void text(BitmapFont.Place place, String text, Color colour) {
        graphics.setColor(colour);
        BitmapFont.draw(graphics, place, text);
    }

    private String wallClock(Instant instant) {
        ZonedDateTime time = instant.atZone(zone);
        return digits(time.getHour(), 2)
                + ":"
                + digits(time.getMinute(), 2)
                + ":"
                + digits(time.getSecond(), 2)
                + "."
                + digits(time.getNano() / 1_000_000, 3);
    }

    private static String digits(long value, int count) {
        String text = Long.toString(value);
        return "0".repeat(Math.max(0, count - text.length())) + text;
    }
}
