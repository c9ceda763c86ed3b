package touchline.packager.hls;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Media memory on the heap that knows which blocks have not been given back. Any thread. */
public final class CountedMemory implements MediaMemory {
    private final Set<Block> live = ConcurrentHashMap.newKeySet();
    private final AtomicLong liveBytes = new AtomicLong();

    @Override
    public MediaBlock allocate(int sizeBytes) {
        Block block = new Block(sizeBytes);
        live.add(block);
        liveBytes.addAndGet(sizeBytes);
        return block;
    }

    /** Blocks with references. */
    public int liveBlocks() {
        return live.size();
    }

    public long liveBytes() {
        return liveBytes.get();
    }

    private final class Block implements MediaBlock {
        private final ByteBuffer buffer;
        private final AtomicInteger references = new AtomicInteger(1);

        Block(int sizeBytes) {
            buffer = ByteBuffer.allocate(sizeBytes);
        }

        @Override
        public int sizeBytes() {
            return buffer.capacity();
        }

        @Override
        public ByteBuffer bytes() {
            check(references.get());
            return buffer.duplicate();
        }

        @Override
        public MediaBlock retain() {
            check(references.getAndIncrement());
            return this;
        }

        @Override
        public void release() {
            check(references.get());
            if (references.decrementAndGet() == 0) {
                live.remove(this);
                liveBytes.addAndGet(-sizeBytes());
            }
        }

        private void check(int count) {
            if (count <= 0) {
                throw new IllegalStateException("references: " + count + " (expected: > 0)");
            }
        }
    }
}
