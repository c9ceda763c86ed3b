package touchline.packager.hls;

import java.nio.ByteBuffer;

/**
 * Reference-counted bytes outside the heap. Filled once by its allocator, then never written; freed
 * by the last {@link #release}. Any thread.
 */
public interface MediaBlock {
    int sizeBytes();

    /** A new view of all bytes, position 0, big endian; valid while a reference is held. */
    ByteBuffer bytes();

    /** Adds a reference; throws IllegalStateException if none is left. */
    MediaBlock retain();

    void release();
}
