package touchline.packager.thumbnail;

/** What becomes of a wish. */
public sealed interface ThumbnailResult {
    record Made(Thumbnail picture) implements ThumbnailResult {}

    /**
     * There is no such picture.
     *
     * @param reason in plain words, without foreign text
     */
    record Missing(String reason) implements ThumbnailResult {}

    /** Too many others are being made. */
    record Busy() implements ThumbnailResult {}
}
