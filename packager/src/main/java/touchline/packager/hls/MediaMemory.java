package touchline.packager.hls;

/**
 * Port: memory of finished parts and playlists. The playback plane implements it with its own
 * pooled direct memory, so that bytes go to the socket without a copy. Any thread.
 */
@FunctionalInterface
public interface MediaMemory {
    /** A block of exactly this size with one reference, owned by the caller. */
    MediaBlock allocate(int sizeBytes);

    /** A block with these bytes and one reference, owned by the caller. */
    default MediaBlock copy(byte[] bytes) {
        MediaBlock block = allocate(bytes.length);
        block.bytes().put(bytes);
        return block;
    }
}
