package touchline.api.programme;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;

/**
 * Encodes an image so that it fits the database: as PNG if a pixel is transparent, otherwise as
 * JPEG, which is a tenth of the size for photographs. A JPEG that is too large loses quality, a PNG
 * pixels. Stateless.
 */
final class ImageEncoder {
    private static final int OPAQUE = 0xFF;
    private static final float FIRST_QUALITY = 0.92f;
    private static final float QUALITY_STEP = 0.8f;

    /** The size of a PNG falls a little more slowly than its number of pixels. */
    private static final double MARGIN = 0.9;

    private ImageEncoder() {}

    /**
     * @param image of {@link BufferedImage#TYPE_INT_ARGB}
     * @return at most {@link Image#MAX_STORED_BYTES}
     */
    static ImageFile encode(BufferedImage image) throws IOException {
        return new ImageFile(isTransparent(image) ? png(image) : jpeg(opaque(image)));
    }

    private static boolean isTransparent(BufferedImage image) {
        for (int pixel : ((DataBufferInt) image.getRaster().getDataBuffer()).getData()) {
            if (pixel >>> 24 != OPAQUE) {
                return true;
            }
        }
        return false;
    }

    private static BufferedImage opaque(BufferedImage image) {
        return drawn(image, image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
    }

    private static byte[] png(BufferedImage image) throws IOException {
        BufferedImage smaller = image;
        byte[] png = encoded(smaller);
        while (png.length > Image.MAX_STORED_BYTES) {
            double scale = MARGIN * Math.sqrt((double) Image.MAX_STORED_BYTES / png.length);
            smaller =
                    drawn(
                            smaller,
                            Math.max(1, (int) (smaller.getWidth() * scale)),
                            Math.max(1, (int) (smaller.getHeight() * scale)),
                            BufferedImage.TYPE_INT_ARGB);
            png = encoded(smaller);
        }
        return png;
    }

    private static byte[] encoded(BufferedImage image) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(image, "png", out);
        }
        return bytes.toByteArray();
    }

    private static byte[] jpeg(BufferedImage image) throws IOException {
        float quality = FIRST_QUALITY;
        byte[] jpeg = jpeg(image, quality);
        while (jpeg.length > Image.MAX_STORED_BYTES) {
            quality *= QUALITY_STEP;
            jpeg = jpeg(image, quality);
        }
        return jpeg;
    }

    private static byte[] jpeg(BufferedImage image, float quality) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            ImageWriteParam parameters = writer.getDefaultWriteParam();
            parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            parameters.setCompressionQuality(quality);
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), parameters);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    /**
     * @param type of the result
     */
    static BufferedImage drawn(BufferedImage image, int width, int height, int type) {
        BufferedImage to = new BufferedImage(width, height, type);
        Graphics2D graphics = to.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, width, height, null);
        graphics.dispose();
        return to;
    }
}
