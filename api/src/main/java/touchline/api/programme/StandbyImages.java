package touchline.api.programme;

import touchline.api.db.ImageRepository;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;

/**
 * Images for slates and scoreboards. Any thread.
 *
 * @param importer reads uploaded files
 * @param repository stores what it makes of them
 */
public record StandbyImages(Importer importer, ImageRepository repository) {
    /** Makes an uploaded file an image of the server's own encoding. */
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
     * @param file at most {@link Image#MAX_STORED_SIDE} on its longer side
     */
    public record Imported(int width, int height, ImageFile file) {}
}
