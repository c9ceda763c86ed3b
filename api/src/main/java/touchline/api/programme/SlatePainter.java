package touchline.api.programme;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;
import touchline.api.db.ImageRepository;
import touchline.api.domain.ImageFile;
import touchline.media.hub.StandbySettings;
import touchline.media.standby.RgbImage;
import touchline.media.standby.Slates;

/**
 * Paints slates: an image in its aspect ratio with black bars and on black, or the bundled slate
 * with the title of the stream. An image that is gone counts as none. Blocks; any thread.
 */
public final class SlatePainter implements Slates {
    private static final Color TOP = new Color(0x17, 0x2B, 0x3A);
    private static final Color BOTTOM = new Color(0x0B, 0x14, 0x1C);
    private static final Color LINE = new Color(0x3F, 0xA7, 0x7A);
    private static final Color TITLE = new Color(0xF4, 0xF7, 0xF9);
    private static final Color NOTE = new Color(0xA9, 0xBA, 0xC6);

    /** The note below the title. */
    private static final String NOTE_TEXT = "BACK SOON";

    private final ImageRepository images;

    public SlatePainter(ImageRepository images) {
        this.images = images;
    }

    @Override
    public RgbImage slate(StandbySettings settings, int width, int height) {
        BufferedImage canvas = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = canvas.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
        graphics.setRenderingHint(
                RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        settings.image()
                .flatMap(images::file)
                .map(SlatePainter::decoded)
                .ifPresentOrElse(
                        image -> fit(graphics, image, width, height),
                        () -> bundled(graphics, settings.title(), width, height));
        graphics.dispose();
        return new RgbImage(
                width, height, ((DataBufferInt) canvas.getRaster().getDataBuffer()).getData());
    }

    /** Encoded by this server. */
    private static BufferedImage decoded(ImageFile file) {
        try {
            return ImageIO.read(new ByteArrayInputStream(file.bytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("a stored image cannot be read", e);
        }
    }

    private static void fit(Graphics2D graphics, BufferedImage image, int width, int height) {
        double scale =
                Math.min((double) width / image.getWidth(), (double) height / image.getHeight());
        int shownWidth = (int) Math.round(image.getWidth() * scale);
        int shownHeight = (int) Math.round(image.getHeight() * scale);
        graphics.drawImage(
                image,
                (width - shownWidth) / 2,
                (height - shownHeight) / 2,
                shownWidth,
                shownHeight,
                null);
    }

    private static void bundled(Graphics2D graphics, String title, int width, int height) {
        graphics.setPaint(new GradientPaint(0, 0, TOP, 0, height, BOTTOM));
        graphics.fillRect(0, 0, width, height);
        int lineWidth = width / 4;
        int lineHeight = Math.max(2, height / 180);
        graphics.setPaint(LINE);
        graphics.fillRect((width - lineWidth) / 2, height * 56 / 100, lineWidth, lineHeight);
        int margin = width / 10;
        graphics.setPaint(TITLE);
        SlateText.draw(
                graphics,
                title,
                new SlateText.Box(margin, height * 36 / 100, width - 2 * margin, height / 8));
        graphics.setPaint(NOTE);
        SlateText.draw(
                graphics,
                NOTE_TEXT,
                new SlateText.Box(margin, height * 62 / 100, width - 2 * margin, height / 20));
    }
}
