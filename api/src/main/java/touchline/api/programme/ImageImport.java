package touchline.api.programme;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import touchline.api.domain.Image;
import touchline.media.worker.UncheckedWorkerException;
import touchline.media.worker.WorkerException;
import touchline.media.worker.WorkerJob;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerPool;
import touchline.media.worker.WorkerProcess;

/**
 * Makes an uploaded file an image of the server's own encoding. A child process decodes the file
 * ({@link ImageHandler}); this process gets pixels and never opens the file itself. Any thread;
 * blocks.
 */
public final class ImageImport implements StandbyImages.Importer {
    /** Width and height of an uploaded image, at most. */
    public static final int MAX_SIDE = 4_096;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

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
                    ImagePixels.read(
                            result,
                            side(size, "stored_width", Image.MAX_STORED_SIDE),
                            side(size, "stored_height", Image.MAX_STORED_SIDE));
            return new StandbyImages.Imported(
                    side(size, "width", MAX_SIDE),
                    side(size, "height", MAX_SIDE),
                    ImageEncoder.encode(image));
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
}
