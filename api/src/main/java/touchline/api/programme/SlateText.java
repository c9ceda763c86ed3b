package touchline.api.programme;

import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one line of text into a box, centred and as large as it fits: with a font of the host
 * where it has one with these letters, else in dots, which know Latin letters without accents.
 * Stateless.
 */
final class SlateText {
    private static final Logger log = LoggerFactory.getLogger(SlateText.class);
    private static final String MORE = "...";

    private SlateText() {}

    /** The largest area of the text, in pixels. */
    record Box(int x, int y, int width, int height) {}

    static void draw(Graphics2D graphics, String text, Box box) {
        String line = text.strip();
        if (!line.isEmpty() && !inFont(graphics, line, box)) {
            inDots(graphics, line.toUpperCase(Locale.ROOT), box);
        }
    }

    /** False where the host has no font with these letters, or no fonts at all. */
    private static boolean inFont(Graphics2D graphics, String text, Box box) {
        try {
            Font font = new Font(Font.SANS_SERIF, Font.BOLD, box.height());
            if (font.canDisplayUpTo(text) != -1) {
                return false;
            }
            int width = graphics.getFontMetrics(font).stringWidth(text);
            if (width > box.width()) {
                font = font.deriveFont(box.height() * (float) box.width() / width);
            }
            FontMetrics metrics = graphics.getFontMetrics(font);
            graphics.setRenderingHint(
                    RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setFont(font);
            int x = box.x() + (box.width() - metrics.stringWidth(text)) / 2;
            int y = box.y() + (box.height() - metrics.getHeight()) / 2 + metrics.getAscent();
            graphics.drawString(text, x, y);
            return true;
        } catch (RuntimeException | LinkageError | InternalError e) {
            log.debug("no fonts on this host", e);
            return false;
        }
    }

    private static void inDots(Graphics2D graphics, String text, Box box) {
        int scale = Math.max(1, box.height() / BitmapFont.ROWS);
        while (scale > 1 && BitmapFont.widthOf(text, scale) > box.width()) {
            scale--;
        }
        String shown = text;
        while (BitmapFont.widthOf(shown, scale) > box.width() && shown.length() > MORE.length()) {
            shown = shown.substring(0, shown.length() - MORE.length() - 1) + MORE;
        }
        int x = box.x() + (box.width() - BitmapFont.widthOf(shown, scale)) / 2;
        int y = box.y() + (box.height() - BitmapFont.ROWS * scale) / 2;
        BitmapFont.draw(graphics, new BitmapFont.Place(x, y, scale), shown);
    }
}
