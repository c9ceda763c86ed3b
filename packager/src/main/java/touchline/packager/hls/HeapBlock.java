package touchline.packager.hls;

import java.nio.ByteBuffer;

/**
 * Bytes on the heap, freed by the collector; references are not counted. For long-lived, rarely
 * sent bytes. Any thread.
 *
 * @param content never moved
 */
record HeapBlock(ByteBuffer content) implements MediaBlock {
    static MediaBlock allocate(int sizeBytes) {
        return new HeapBlock(ByteBuffer.allocate(sizeBytes));
    }

    @Override
    public int sizeBytes() {
        return content.capacity();
    }

    @Override
    public ByteBuffer bytes() {
        return content.duplicate();
    }

    @Override
    public MediaBlock retain() {
        return this;
    }

    @Override
    public void release() {}
}
