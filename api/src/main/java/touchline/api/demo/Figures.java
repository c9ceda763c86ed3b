package touchline.api.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Players and ball as sprites, made when first needed and kept. One thread. */
final class Figures {
    /** Steps of a stride; one more is standing still. */
    static final int STRIDE = 8;

    static final int STANDING = STRIDE;

    private static final int SIZE_STEP = 4;
    private static final int SHADOW = 0x58000000;
    private static final int OPAQUE = 0xFF000000;
    private static final int[] SKIN = {0xD9A982, 0x8A5C3C};

    // A figure is sampled once; chroma differs with the parity of the place.
    private final Map<Object, Cutout> cutouts = new HashMap<>();
    private final Map<Key, Sprite> sprites = new HashMap<>();

    /**
     * @param size height in samples
     * @param leaning -1 to the left, 0, 1 to the right
     * @param skin which of two
     */
    record Look(Kit kit, int size, int pose, int leaning, int skin) {}

    private record Key(Object what, boolean oddX, boolean oddY) {}

    private record Ball(int radius) {}

    private record Shadow(int radius) {}

    /** Draws somebody whose feet stand at a place. */
    void drawPlayer(Canvas canvas, Look look, int footX, int footY) {
        int size = Math.max(SIZE_STEP, Math.round((float) look.size() / SIZE_STEP) * SIZE_STEP);
        Look rounded = new Look(look.kit(), size, look.pose(), look.leaning(), look.skin());
        Cutout cutout = cutouts.computeIfAbsent(rounded, _ -> player(rounded));
        draw(canvas, rounded, cutout, footX - cutout.width() / 2, footY - size - 1);
    }

    /** Draws the ball by its middle. */
    void drawBall(Canvas canvas, int radius, int x, int y) {
        Ball what = new Ball(radius);
        Cutout cutout = cutouts.computeIfAbsent(what, _ -> ball(radius));
        draw(canvas, what, cutout, x - radius - 1, y - radius - 1);
    }

    /** Draws what the ball leaves on the ground. */
    void drawShadow(Canvas canvas, int radius, int x, int y) {
        Shadow what = new Shadow(radius);
        Cutout cutout = cutouts.computeIfAbsent(what, _ -> shadow(radius));
        draw(canvas, what, cutout, x - 2 * radius, y - radius);
    }

    private void draw(Canvas canvas, Object what, Cutout cutout, int left, int top) {
        Key key = new Key(what, (left & 1) != 0, (top & 1) != 0);
        Sprite sprite = sprites.computeIfAbsent(key, _ -> Sprite.of(cutout, key.oddX, key.oddY));
        canvas.blend(sprite, left, top);
    }

    private static int boxWidth(int size) {
        return size * 7 / 8;
    }

    private static Cutout ball(int radius) {
        int side = 2 * radius + 2;
        double middle = side / 2.0;
        return new Cutout(
                side,
                side,
                (x, y) -> {
                    if (Math.hypot(x - middle, y - middle) > radius) {
                        return 0;
                    }
                    boolean patch = Math.hypot(x - middle, y - middle + 0.2) < radius * 0.34;
                    boolean low = y > middle + radius * 0.45;
                    return OPAQUE | (patch ? 0x303236 : low ? 0xC4C8C8 : 0xFFFFFF);
                });
    }

    private static Cutout shadow(int radius) {
        return new Cutout(
                4 * radius,
                2 * radius,
                (x, y) ->
                        Math.hypot((x / 2 - radius) / radius, (y - radius) / radius * 1.3) < 0.9
                                ? SHADOW
                                : 0);
    }

    private static Cutout player(Look look) {
        int width = boxWidth(look.size());
        double unit = look.size();
        Limb[] limbs = limbs(look).toArray(Limb[]::new);
        return new Cutout(
                width,
                look.size() + 4,
                (x, y) -> colourAt(limbs, (x - width / 2.0) / unit, (y - unit) / unit));
    }

    /** The last limb that covers a point is in front. */
    private static int colourAt(Limb[] limbs, double x, double y) {
        for (int i = limbs.length - 1; i >= 0; i--) {
            if (limbs[i].covers(x, y)) {
                return OPAQUE | limbs[i].rgb;
            }
        }
        double shadowX = (x - 0.07) / 0.26;
        double shadowY = (y - 0.015) / 0.055;
        return shadowX * shadowX + shadowY * shadowY < 1 ? SHADOW : 0;
    }

    /** A round stick; the whole figure is 1 high, its feet stand at 0, up is negative. */
    private record Limb(RgbSurface.Point from, RgbSurface.Point to, double radius, int rgb) {
        boolean covers(double x, double y) {
            double dx = to.x() - from.x();
            double dy = to.y() - from.y();
            double length = dx * dx + dy * dy;
            double along = length == 0 ? 0 : ((x - from.x()) * dx + (y - from.y()) * dy) / length;
            double at = Math.clamp(along, 0, 1);
            double offX = x - from.x() - at * dx;
            double offY = y - from.y() - at * dy;
            return offX * offX + offY * offY < radius * radius;
        }
    }

    private static List<Limb> limbs(Look look) {
        Kit kit = look.kit();
        int skin = SKIN[look.skin() % SKIN.length];
        double lean = look.pose() == STANDING ? 0 : 0.06 * look.leaning();
        double swing =
                look.pose() == STANDING ? 0.12 : 0.6 * Math.sin(2 * Math.PI * look.pose() / STRIDE);
        double side = look.leaning() == 0 ? 1 : look.leaning();
        List<Limb> limbs = new ArrayList<>(16);
        arm(limbs, lean, -swing * side, RgbSurface.lit(kit.shirt(), 0.8), skin);
        leg(limbs, -swing * side, kit, skin);
        leg(limbs, swing * side, kit, skin);
        RgbSurface.Point hip = new RgbSurface.Point(0, -0.44);
        limbs.add(new Limb(new RgbSurface.Point(-0.025, -0.47), hip, 0.085, kit.shorts()));
        limbs.add(new Limb(new RgbSurface.Point(0.025, -0.47), hip, 0.085, kit.shorts()));
        limbs.add(
                new Limb(
                        new RgbSurface.Point(lean, -0.74),
                        new RgbSurface.Point(lean / 3, -0.55),
                        0.098,
                        kit.shirt()));
        arm(limbs, lean, swing * side, RgbSurface.lit(kit.shirt(), 0.9), skin);
        RgbSurface.Point head = new RgbSurface.Point(lean * 1.5, -0.905);
        limbs.add(new Limb(head, head, 0.078, 0x3A2A20));
        RgbSurface.Point face = new RgbSurface.Point(lean * 1.5 + 0.012 * side, -0.885);
        limbs.add(new Limb(face, face, 0.064, skin));
        return limbs;
    }

    private static void leg(List<Limb> limbs, double angle, Kit kit, int skin) {
        double kneeX = 0.23 * Math.sin(angle);
        double kneeY = -0.44 + 0.23 * Math.cos(angle);
        // The shin of a trailing leg lifts.
        double shin = angle < 0 ? angle - 0.5 : angle * 0.6;
        double footX = kneeX + 0.19 * Math.sin(shin);
        double footY = kneeY + 0.19 * Math.cos(shin);
        RgbSurface.Point hip = new RgbSurface.Point(0, -0.44);
        RgbSurface.Point knee = new RgbSurface.Point(kneeX, kneeY);
        RgbSurface.Point foot = new RgbSurface.Point(footX, footY);
        limbs.add(new Limb(hip, knee, 0.048, skin));
        limbs.add(new Limb(hip, new RgbSurface.Point(kneeX / 2, -0.36), 0.07, kit.shorts()));
        limbs.add(new Limb(knee, foot, 0.04, kit.socks()));
        limbs.add(new Limb(foot, foot, 0.042, 0x202020));
    }

    private static void arm(List<Limb> limbs, double lean, double angle, int sleeve, int skin) {
        RgbSurface.Point shoulder = new RgbSurface.Point(lean + 0.05 * Math.signum(angle), -0.75);
        double elbowX = shoulder.x() + 0.15 * Math.sin(angle);
        double elbowY = -0.75 + 0.15 * Math.cos(angle);
        RgbSurface.Point elbow = new RgbSurface.Point(elbowX, elbowY);
        RgbSurface.Point hand =
                new RgbSurface.Point(elbowX + 0.1 * Math.sin(angle * 1.8), elbowY + 0.1);
        limbs.add(new Limb(elbow, hand, 0.028, skin));
        limbs.add(new Limb(shoulder, elbow, 0.038, sleeve));
    }
}
