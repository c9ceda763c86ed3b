package touchline.api.programme;

import touchline.api.db.ImageRepository;
import touchline.api.domain.Image;

/**
 * Images for slates. Any thread.
 *
 * @param importer reads uploaded files
 * @param repository stores what it makes of them
 */
public record StandbyImages(Importer importer, ImageRepository repository) {
    /** Makes an uploaded file a JPEG of the server's own. */
    @FunctionalInterface
    public interface Importer {
        /**
         * Blocks.
         *
         * @throws InvalidImageException the file is no image, or too large
         */
        Imported read(byte[] file);
    }

    /**
     * @param width of the uploaded image
     * @param height of the uploaded image
     * @param jpeg at most {@link Image#MAX_STORED_SIDE} on its longer side
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once
    public record Imported(int width, int height, byte[] jpeg) {}
}
