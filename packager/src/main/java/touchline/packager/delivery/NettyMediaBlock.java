package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import touchline.packager.hls.MediaBlock;

/** A media block over a {@link ByteBuf}: the references are the buffer's own. Any thread. */
final class NettyMediaBlock implements MediaBlock {
    private final ByteBuf buffer;

    /** Takes ownership of the buffer's reference. */
    NettyMediaBlock(ByteBuf buffer) {
        this.buffer = buffer;
    }

    @Override
    public int sizeBytes() {
        return buffer.capacity();
    }

    @Override
    public ByteBuffer bytes() {
        return buffer.nioBuffer(0, buffer.capacity());
    }

    @Override
    public MediaBlock retain() {
        buffer.retain();
        return this;
    }

    @Override
    public void release() {
        buffer.release();
    }

    /**
     * Part of a block as a buffer with its own indices. It takes over the caller's reference to the
     * block and releases it with the buffer. Without a copy for blocks of {@link NettyMediaMemory};
     * blocks of any other memory are copied.
     */
    static ByteBuf take(
            MediaBlock block, int offsetBytes, int lengthBytes, ByteBufAllocator copies) {
        if (block instanceof NettyMediaBlock own) {
            return own.buffer.slice(offsetBytes, lengthBytes);
        }
        try {
            return copies.directBuffer(lengthBytes, lengthBytes)
                    .writeBytes(block.bytes().slice(offsetBytes, lengthBytes));
        } finally {
            block.release();
        }
    }
}
