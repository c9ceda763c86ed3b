package touchline.packager.thumbnail;

/** Result of a request. */
public sealed interface ThumbnailResult {
    record Made(Thumbnail frame) implements ThumbnailResult {}

    /**
     * There is no such frame.
     *
     * @param reason in plain words, without foreign text
     */
    record Missing(String reason) implements ThumbnailResult {}

    /**
     * The server cannot decode it now; a later request may succeed.
     *
     * @param reason in plain words, without foreign text
     */
    record Unavailable(String reason) implements ThumbnailResult {}

    /** Too many requests wait. */
    record Busy() implements ThumbnailResult {}
}
