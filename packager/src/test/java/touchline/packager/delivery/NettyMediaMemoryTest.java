package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.MediaBlock;

class NettyMediaMemoryTest {
    private final NettyMediaMemory memory = new NettyMediaMemory();

    @Test
    void allocate_block_hasItsSizeAndIsFreedWithTheLastReference() {
        MediaBlock block = memory.allocate(100_000);
        assertEquals(100_000, block.sizeBytes());
        assertTrue(memory.usedBytes() >= 100_000);
        assertSame(block, block.retain());
        block.release();
        assertTrue(memory.usedBytes() >= 100_000);
        block.release();
        assertEquals(0, memory.usedBytes());
        assertThrows(IllegalStateException.class, block::retain);
        assertThrows(IllegalStateException.class, block::bytes);
    }

    @Test
    void bytes_eachView_startsAtZeroOverTheSameBytes() {
        MediaBlock block = memory.allocate(8);
        block.bytes().putLong(0x0102030405060708L);
        ByteBuffer view = block.bytes();
        assertEquals(0, view.position());
        assertEquals(8, view.remaining());
        assertEquals(ByteOrder.BIG_ENDIAN, view.order());
        assertTrue(view.isDirect());
        assertEquals(0x0102030405060708L, view.getLong());
        block.release();
    }

    @Test
    void allocate_emptyAndLargerThanAChunk_areGiven() {
        MediaBlock empty = memory.allocate(0);
        assertEquals(0, empty.bytes().remaining());
        empty.release();
        MediaBlock large = memory.allocate(5 << 20);
        assertEquals(5 << 20, large.bytes().remaining());
        large.release();
        assertEquals(0, memory.usedBytes());
        assertThrows(IllegalArgumentException.class, () -> memory.allocate(-1));
    }

    @Test
    void reservedBytes_twentyStreams_staysWithinAThirdOfWhatIsHeld() {
        MediaBlock[] blocks = new MediaBlock[800];
        long held = 0;
        for (int i = 0; i < 8000; i++) {
            int slot = i % blocks.length;
            if (blocks[slot] != null) {
                held -= blocks[slot].sizeBytes();
                blocks[slot].release();
            }
            int size = 30_000 + (int) (i * 7919L % 100_000);
            blocks[slot] = memory.allocate(size);
            held += size;
        }
        assertTrue(
                memory.reservedBytes() < held * 4 / 3,
                memory.reservedBytes() + " reserved for " + held);
        for (MediaBlock block : blocks) {
            block.release();
        }
        assertEquals(0, memory.usedBytes());
    }

    @Test
    void take_ownBlock_isNoCopyAndHandsTheReferenceOver() {
        MediaBlock block = memory.allocate(4);
        block.bytes().putInt(0x0A0B0C0D);
        block.retain();
        ByteBuf taken = NettyMediaBlock.take(block, 1, 2, UnpooledByteBufAllocator.DEFAULT);
        block.bytes().put(1, (byte) 0x77);
        assertEquals(0x770C, taken.readUnsignedShort());
        block.release();
        taken.release();
        assertEquals(0, memory.usedBytes());
    }

    @Test
    void take_foreignBlock_isCopiedAndReleased() {
        ForeignBlock block = new ForeignBlock();
        ByteBuf taken = NettyMediaBlock.take(block, 1, 2, UnpooledByteBufAllocator.DEFAULT);
        assertEquals(0, block.references);
        assertEquals(0x0203, taken.readUnsignedShort());
        taken.release();
    }

    private static final class ForeignBlock implements MediaBlock {
        private int references = 1;

        @Override
        public int sizeBytes() {
            return 4;
        }

        @Override
        public ByteBuffer bytes() {
            return ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
        }

        @Override
        public MediaBlock retain() {
            references++;
            return this;
        }

        @Override
        public void release() {
            references--;
        }
    }
}
