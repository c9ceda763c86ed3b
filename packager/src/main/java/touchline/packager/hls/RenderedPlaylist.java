package touchline.packager.hls;

/**
 * A playlist, made once per change and shared by all who ask.
 *
 * @param plain UTF-8, in memory
 * @param gzip the same, compressed
 * @param version rises with every change; for ETag
 */
public record RenderedPlaylist(MediaBlock plain, MediaBlock gzip, long version) {}
