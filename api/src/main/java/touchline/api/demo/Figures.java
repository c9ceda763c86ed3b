package touchline.api.demo;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.image.BufferedImage;
import java.util.HashMap;
import java.util.Map;

/** Draws players and ball. The images of players are made when first needed and kept. One thread. */
final class Figures {
    /** Steps of a stride; one more is standing still. */
    static final int STRIDE = 8;

    static final int STANDING = STRIDE;

    private static final int SIZE_STEP = 4;
    private static final Color SHADOW = new Color(0x58000000, true);
    private static final Color HAIR = new Color(0x3A2A20);
    private static final Color SHOE = new Color(0x202020);
    private static final Color[] SKIN = {new Color(0xD9A982), new Color(0x8A5C3C)};

    private final Map<Look, BufferedImage> players = new HashMap<>();

    /**
     * @param size height in pixels
     * @param leaning -1 to the left, 0, 1 to the right
     * @param skin which of two
     */
    record Look(Kit kit, int size, int pose, int leaning, int skin) {}

    /** Draws a player by the place of the feet. */
    void drawPlayer(Graphics2D graphics, Look look, int footX, int footY) {
        int size = Math.max(SIZE_STEP, Math.round((float) look.size() / SIZE_STEP) * SIZE_STEP);
        Look rounded = new Look(look.kit(), size, look.pose(), look.leaning(), look.skin());
        BufferedImage image = players.computeIfAbsent(rounded, Figures::player);
        graphics.drawImage(image, footX - image.getWidth() / 2, footY - size - 1, null);
    }

    /** Draws the ball by its middle. */
    void drawBall(Graphics2D graphics, double radius, double x, double y) {
        graphics.setColor(new Color(0xC4C8C8));
        graphics.fill(circle(x, y, radius));
        graphics.setColor(Color.WHITE);
        graphics.fill(circle(x, y - radius * 0.12, radius * 0.88));
        graphics.setColor(new Color(0x303236));
        graphics.fill(circle(x, y - 0.2, radius * 0.34));
    }

    /** Draws the shadow of the ball. */
    void drawShadow(Graphics2D graphics, double radius, double x, double y) {
        graphics.setColor(SHADOW);
        graphics.fill(
                new Ellipse2D.Double(
                        x - 1.8 * radius, y - 0.7 * radius, 3.6 * radius, 1.4 * radius));
    }

    private static Ellipse2D circle(double x, double y, double radius) {
        return new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius);
    }

    /** The figure is 1 high, its feet stand at 0, up is negative. Later limbs are in front. */
    private static BufferedImage player(Look look) {
        int width = look.size() * 7 / 8;
        BufferedImage image =
                new BufferedImage(width, look.size() + 4, BufferedImage.TYPE_INT_ARGB_PRE);
        Graphics2D graphics = Paints.smooth(image);
        graphics.translate(width / 2.0, look.size());
        graphics.scale(look.size(), look.size());
        graphics.setColor(SHADOW);
        graphics.fill(new Ellipse2D.Double(-0.19, -0.04, 0.52, 0.11));
        new Body(graphics, look).draw();
        graphics.dispose();
        return image;
    }

    /** Draws the limbs of one figure. */
    private static final class Body {
        private final Graphics2D graphics;
        private final Kit kit;
        private final Color skin;
        private final double lean;
        private final double swing;
        private final double side;

        Body(Graphics2D graphics, Look look) {
            boolean stands = look.pose() == STANDING;
            this.graphics = graphics;
            this.kit = look.kit();
            this.skin = SKIN[look.skin() % SKIN.length];
            this.lean = stands ? 0 : 0.06 * look.leaning();
            this.side = look.leaning() == 0 ? 1 : look.leaning();
            double angle = stands ? 0.12 : 0.6 * Math.sin(2 * Math.PI * look.pose() / STRIDE);
            this.swing = angle * side;
        }

        void draw() {
            Color shorts = new Color(kit.shorts());
            arm(-swing, Paints.lit(kit.shirt(), 0.8));
            leg(-swing, shorts);
            leg(swing, shorts);
            limb(new Line2D.Double(-0.025, -0.47, 0, -0.44), 0.085, shorts);
            limb(new Line2D.Double(0.025, -0.47, 0, -0.44), 0.085, shorts);
            limb(
                    new Line2D.Double(lean, -0.74, lean / 3, -0.55),
                    0.098,
                    new Color(kit.shirt()));
            arm(swing, Paints.lit(kit.shirt(), 0.9));
            dot(lean * 1.5, -0.905, 0.078, HAIR);
            dot(lean * 1.5 + 0.012 * side, -0.885, 0.064, skin);
        }

        private void leg(double angle, Color shorts) {
            double kneeX = 0.23 * Math.sin(angle);
            double kneeY = -0.44 + 0.23 * Math.cos(angle);
            // The shin of a trailing leg lifts.
            double shin = angle < 0 ? angle - 0.5 : angle * 0.6;
            double footX = kneeX + 0.19 * Math.sin(shin);
            double footY = kneeY + 0.19 * Math.cos(shin);
            limb(new Line2D.Double(0, -0.44, kneeX, kneeY), 0.048, skin);
            limb(new Line2D.Double(0, -0.44, kneeX / 2, -0.36), 0.07, shorts);
            limb(new Line2D.Double(kneeX, kneeY, footX, footY), 0.04, new Color(kit.socks()));
            dot(footX, footY, 0.042, SHOE);
        }

        private void arm(double angle, Color sleeve) {
            double shoulderX = lean + 0.05 * Math.signum(angle);
            double elbowX = shoulderX + 0.15 * Math.sin(angle);
            double elbowY = -0.75 + 0.15 * Math.cos(angle);
            double handX = elbowX + 0.1 * Math.sin(angle * 1.8);
            limb(new Line2D.Double(elbowX, elbowY, handX, elbowY + 0.1), 0.028, skin);
            limb(new Line2D.Double(shoulderX, -0.75, elbowX, elbowY), 0.038, sleeve);
        }

        private void limb(Line2D line, double radius, Color colour) {
            graphics.setColor(colour);
            graphics.setStroke(
                    new BasicStroke(
                            (float) (2 * radius), BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
            graphics.draw(line);
        }

        private void dot(double x, double y, double radius, Color colour) {
            graphics.setColor(colour);
            graphics.fill(circle(x, y, radius));
        }
    }
}
