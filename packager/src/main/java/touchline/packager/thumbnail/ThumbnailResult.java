package touchline.packager.thumbnail;

/** What becomes of a request. */
public sealed interface ThumbnailResult {
    record Made(Thumbnail frame) implements ThumbnailResult {}

    /**
     * There is no such frame.
     *
     * @param reason in plain words, without foreign text
     */
    record Missing(String reason) implements ThumbnailResult {}

    /** Too many others are being made. */
    record Busy() implements ThumbnailResult {}
}
