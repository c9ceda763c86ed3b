package touchline.media.rendition;

/**
 * Size and rate of one rendition of a source. Immutable, any thread.
 *
 * @param shorterSide the height that the stream asks for
 * @param width luma samples in a row, even
 * @param height luma rows, even
 * @param bitrateBps of its video
 * @param frameRate frames per second; 0 for every frame of the source
 */
public record RenditionFormat(
        int shorterSide, int width, int height, int bitrateBps, double frameRate) {
    /** Its name in addresses, such as {@code 480p}. */
    public String name() {
        return shorterSide + "p";
    }

    /** Luma samples of a frame. */
    public long pixels() {
        return (long) width * height;
    }
}
