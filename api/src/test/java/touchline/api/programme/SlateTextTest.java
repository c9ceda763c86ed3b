package touchline.api.programme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host may have fonts or none: the same holds for both. */
final class SlateTextTest {
    /** This letter is assigned to none, so no font has it, and the line is drawn in dots. */
    private static final String UNKNOWN = "\u0378";

    private static final SlateText.Box BOX = new SlateText.Box(40, 30, 120, 28);

    @ParameterizedTest
    @ValueSource(strings = {"GOAL", "Back in a moment", UNKNOWN + "GOAL"})
    void draw_aLine_fillsABoxAndNothingAroundIt(String text) {
        Rectangle painted = painted(text);

        assertTrue(painted.width > 20 && painted.height >= 7, painted::toString);
        assertInside(painted);
    }

    /** It would be six times as wide: it ends with dots in place of letters. */
    @Test
    void draw_aLongLine_isCut() {
        Rectangle painted = painted(UNKNOWN + "A LONG LINE ".repeat(10));

        assertTrue(painted.width > BOX.width() / 2, painted::toString);
        assertInside(painted);
    }

    @Test
    void draw_alone_isCentred() {
        Rectangle painted = painted(UNKNOWN + "HH");

        assertEquals(
                BOX.y() + BOX.height() / 2.0, painted.y + painted.height / 2.0, BOX.height() / 4.0);
        assertTrue(Math.abs(painted.getCenterX() - 100) < 30, painted::toString);
    }

    @Test
    void draw_spaces_paintNothing() {
        assertTrue(painted("   ").isEmpty());
    }

    private static void assertInside(Rectangle painted) {
        Rectangle box = new Rectangle(BOX.x(), BOX.y(), BOX.width(), BOX.height());
        box.grow(2, 8);
        assertTrue(box.contains(painted), () -> painted + " in " + box);
    }

    private static Rectangle painted(String text) {
        BufferedImage image = new BufferedImage(200, 90, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        SlateText.draw(graphics, text, BOX);
        graphics.dispose();
        Rectangle found = new Rectangle(-1, -1);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                if ((image.getRGB(x, y) & 0xFFFFFF) != 0) {
                    found.add(new Rectangle(x, y, 1, 1));
                }
            }
        }
        return found;
    }
}
