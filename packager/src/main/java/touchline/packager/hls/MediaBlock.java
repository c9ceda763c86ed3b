package touchline.packager.hls;

import java.nio.ByteBuffer;

/**
 * Reference-counted bytes outside the heap. Filled by whoever allocated it, then never written
 * again; freed with the last {@link #release}. Any thread.
 */
public interface MediaBlock {
    int sizeBytes();

    /** A new view of all bytes, position 0, big endian; valid while a reference is held. */
    ByteBuffer bytes();

    /** One more reference; throws IllegalStateException where none is left. */
    MediaBlock retain();

    void release();
}
