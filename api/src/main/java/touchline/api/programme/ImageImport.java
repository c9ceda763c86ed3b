package touchline.api.programme;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import touchline.api.domain.Image;
import touchline.media.worker.UncheckedWorkerException;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerPool;
import touchline.media.worker.WorkerProcess;

/**
 * Makes an uploaded file a JPEG of the server's own. A child process decodes the file ({@link
 * ImageHandler}); this process gets pixels and never opens the file itself. Any thread; blocks.
 */
public final class ImageImport implements StandbyImages.Importer {
    /** Width and height of an uploaded image, at most. */
    public static final int MAX_SIDE = 4_096;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int PIXEL_BYTES = 3;
    private static final float FIRST_QUALITY = 0.92f;
    private static final float QUALITY_STEP = 0.8f;

    private final WorkerPool workers;

    /**
     * @param workers run {@link ImageHandler}; borrowed
     */
    public ImageImport(WorkerPool workers) {
        this.workers = workers;
    }

    /**
     * @throws InvalidImageException the file is no image, or too large
     * @throws UncheckedWorkerException the child process failed
     */
    @Override
    public StandbyImages.Imported read(byte[] file) {
        try (WorkerPool.Lease lease = workers.lease()) {
            return read(file, lease.process());
        } catch (IOException e) {
            throw new UncheckedIOException("image: " + e.getMessage(), e);
        } catch (WorkerException e) {
            if (e.failure() instanceof WorkerException.Failure.Reported(int code, String reason)
                    && code == WorkerJobException.INVALID_INPUT) {
                throw new InvalidImageException(reason);
            }
            throw new UncheckedWorkerException(e);
        }
    }

    private static StandbyImages.Imported read(byte[] file, WorkerProcess worker)
            throws IOException, WorkerException {
        Path source = worker.folder().resolve("image");
        Path result = worker.folder().resolve("pixels");
        try {
            Files.write(source, file);
            JsonNode size =
                    worker.run(
                            new WorkerJob(
                                    ImageHandler.KIND,
                                    JsonNodeFactory.instance
                                            .objectNode()
                                            .put("source", source.toString())
                                            .put("result", result.toString())
                                            .put("max_side", MAX_SIDE)
                                            .put("stored_side", Image.MAX_STORED_SIDE),
                                    TIMEOUT),
                            _ -> {});
            BufferedImage image =
                    pixels(
                            result,
                            side(size, "stored_width", Image.MAX_STORED_SIDE),
                            side(size, "stored_height", Image.MAX_STORED_SIDE));
            return new StandbyImages.Imported(
                    side(size, "width", MAX_SIDE), side(size, "height", MAX_SIDE), jpeg(image));
        } finally {
            Files.deleteIfExists(source);
            Files.deleteIfExists(result);
        }
    }

    /** The child process may say anything. */
    private static int side(JsonNode size, String name, int most) {
        int side = size.path(name).asInt();
        if (side < 1 || side > most) {
            throw new InvalidImageException(name + ": " + side + " (expected: 1 to " + most + ")");
        }
        return side;
    }

    private static BufferedImage pixels(Path file, int width, int height) throws IOException {
        int bytes = width * height * PIXEL_BYTES;
        byte[] read;
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            read = in.readNBytes(bytes);
        }
        if (read.length != bytes) {
            throw new InvalidImageException(read.length + " bytes (expected: " + bytes + ")");
        }
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        for (int i = 0; i < pixels.length; i++) {
            int at = i * PIXEL_BYTES;
            pixels[i] = rgb(read[at], read[at + 1], read[at + 2]);
        }
        return image;
    }

    private static int rgb(byte red, byte green, byte blue) {
        return (red & 0xFF) << 16 | (green & 0xFF) << 8 | (blue & 0xFF);
    }

    /** In a quality whose bytes may be stored. */
    static byte[] jpeg(BufferedImage image) throws IOException {
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
}
