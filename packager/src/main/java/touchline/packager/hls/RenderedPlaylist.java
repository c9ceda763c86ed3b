package touchline.packager.hls;

import java.nio.charset.StandardCharsets;

/**
 * The text of a playlist, plain and compressed: rendered once per change, shared by all answers.
 *
 * @param plain UTF-8, in memory
 * @param gzip the same, compressed
 * @param version rises with every change; for ETag
 * @param end what it lists last
 */
public record RenderedPlaylist(MediaBlock plain, MediaBlock gzip, long version, PlaylistEnd end) {
    /** Both blocks carry one reference, owned by the caller. */
    static RenderedPlaylist of(String text, long version, PlaylistEnd end, MediaMemory memory) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        MediaBlock plainBlock = memory.copy(plain);
        try {
            return new RenderedPlaylist(plainBlock, memory.copy(Gzip.of(plain)), version, end);
        } catch (RuntimeException e) {
            plainBlock.release();
            throw e;
        }
    }

    /** One more reference to both blocks. */
    public RenderedPlaylist retain() {
        plain.retain();
        gzip.retain();
        return this;
    }

    /** One reference less to both blocks. */
    public void release() {
        plain.release();
        gzip.release();
    }
}
