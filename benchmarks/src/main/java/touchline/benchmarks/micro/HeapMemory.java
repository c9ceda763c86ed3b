package touchline.benchmarks.micro;

import java.nio.ByteBuffer;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaMemory;

/** Media memory on the heap, so that only the packager is measured. Any thread. */
final class HeapMemory implements MediaMemory {
    @Override
    public MediaBlock allocate(int sizeBytes) {
        return new Block(ByteBuffer.allocate(sizeBytes));
    }

    private record Block(ByteBuffer buffer) implements MediaBlock {
        @Override
        public int sizeBytes() {
            return buffer.capacity();
        }

        @Override
        public ByteBuffer bytes() {
            return buffer.duplicate();
        }

        @Override
        public MediaBlock retain() {
            return this;
        }

        @Override
        public void release() {}
    }
}
