package touchline.packager.hls;

import java.nio.ByteBuffer;

/**
 * Bytes on the heap: the collector frees them, references are not counted. For what is kept long
 * and sent seldom. Any thread.
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
