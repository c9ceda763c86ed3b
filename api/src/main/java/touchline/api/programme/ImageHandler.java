package touchline.api.programme;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.awt.image.BufferedImage;
import java.io.IOException;
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
 * Job kind {@value #KIND}, in the child process: decodes an uploaded image and writes its pixels
 * ({@link ImagePixels}). {@code {"source": FILE, "result": FILE, "max_side": PIXELS, "stored_side":
 * PIXELS}} in; the size of the image and of its pixels out.
 */
public final class ImageHandler implements WorkerHandler {
    public static final String KIND = "image";

    private static final Set<String> FORMATS = Set.of("png", "jpeg");

    @Override
    public JsonNode handle(JsonNode body, WorkerProgress progress) throws Exception {
        Path source = Path.of(body.path("source").asText());
        BufferedImage decoded = decode(source, body.path("max_side").asInt());
        BufferedImage scaled = fit(decoded, body.path("stored_side").asInt());
        ImagePixels.write(scaled, Path.of(body.path("result").asText()));
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

    /** Colours of transparent pixels do not run into others: they count by their alpha. */
    private static BufferedImage scaled(BufferedImage image, int width, int height) {
        return ImageEncoder.drawn(
                image, Math.max(1, width), Math.max(1, height), BufferedImage.TYPE_INT_ARGB_PRE);
    }
}
