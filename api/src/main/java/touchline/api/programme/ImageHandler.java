package touchline.api.programme;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import touchline.media.worker.WorkerHandler;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerProgress;

/**
 * Job kind {@value #KIND}, in the child process: decodes an uploaded image and writes its pixels,
 * as three bytes each. {@code {"source": FILE, "result": FILE, "max_side": PIXELS, "stored_side":
 * PIXELS}} in; the size of the image and of its pixels out. Transparency becomes black.
 */
public final class ImageHandler implements WorkerHandler {
    public static final String KIND = "image";

    private static final Set<String> FORMATS = Set.of("png", "jpeg");

    @Override
    public JsonNode handle(JsonNode body, WorkerProgress progress) throws Exception {
        Path source = Path.of(body.path("source").asText());
        BufferedImage decoded = decode(source, body.path("max_side").asInt());
        BufferedImage scaled = fit(decoded, body.path("stored_side").asInt());
        write(scaled, Path.of(body.path("result").asText()));
        return JsonNodeFactory.instance
                .objectNode()
                .put("width", decoded.getWidth())
                .put("height", decoded.getHeight())
                .put("stored_width", scaled.getWidth())
                .put("stored_height", scaled.getHeight());
    }

    /** The size is known before the pixels are decoded. */
    private static BufferedImage decode(Path source, int maxSide) throws WorkerJobException {
        ImageIO.setUseCache(false);
        try (ImageInputStream in = ImageIO.createImageInputStream(source.toFile())) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                throw invalid("no PNG or JPEG image");
            }
            ImageReader reader = readers.next();
            try {
                String format = reader.getFormatName().toLowerCase(Locale.ROOT);
                if (!FORMATS.contains(format)) {
                    throw invalid(format + " (expected: png or jpeg)");
                }
                reader.setInput(in, /* seekForwardOnly= */ true, /* ignoreMetadata= */ true);
                int width = reader.getWidth(0);
                int height = reader.getHeight(0);
                if (width > maxSide || height > maxSide) {
                    throw invalid(
                            "%dx%d (expected: at most %dx%d)"
                                    .formatted(width, height, maxSide, maxSide));
                }
                return reader.read(0);
            } finally {
                reader.dispose();
            }
        } catch (IOException | RuntimeException e) {
            throw invalid("the image cannot be decoded: " + e.getMessage());
        }
    }

    private static WorkerJobException invalid(String message) {
        return new WorkerJobException(WorkerJobException.INVALID_INPUT, message);
    }

    private static BufferedImage fit(BufferedImage image, int side) {
        int longer = Math.max(image.getWidth(), image.getHeight());
        double scale = Math.min(1, (double) side / longer);
        BufferedImage from = image;
        // In halves: a larger step of bilinear scaling leaves pixels out.
        while (scale < 0.5) {
            from = scaled(from, from.getWidth() / 2, from.getHeight() / 2);
            scale *= 2;
        }
        return scaled(
                from,
                (int) Math.round(from.getWidth() * scale),
                (int) Math.round(from.getHeight() * scale));
    }

    private static BufferedImage scaled(BufferedImage image, int width, int height) {
        BufferedImage to =
                new BufferedImage(
                        Math.max(1, width), Math.max(1, height), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = to.createGraphics();
        graphics.setRenderingHint(
                RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, to.getWidth(), to.getHeight(), Color.BLACK, null);
        graphics.dispose();
        return to;
    }

    private static void write(BufferedImage image, Path file) throws IOException {
        int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            for (int pixel : pixels) {
                out.write(pixel >> 16);
                out.write(pixel >> 8);
                out.write(pixel);
            }
        }
    }
}
