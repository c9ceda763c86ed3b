package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;

/**
 * A range of a body at another server, on its way to one viewer: the next chunk is fetched when the
 * one before is written, so a slow viewer holds one chunk. Event loop only.
 */
final class FetchedChunks {
    /** Fetched at once. */
    private static final int CHUNK_BYTES = 1 << 20;

    private final MediaBody.Fetched.Source source;
    private final ByteBufAllocator copies;
    private final Queue<ByteBuf> buffers = new ArrayDeque<>(2);
    private long atByte;
    private long leftBytes;
    private boolean coming;
    private boolean closed;
    private @Nullable IOException failure;

    FetchedChunks(MediaBody.Fetched body, long first, long length, ByteBufAllocator copies) {
        this.source = body.source();
        this.copies = copies;
        atByte = first;
        leftBytes = length;
    }

    /**
     * Whether {@link #next} has something. Else it is fetched.
     *
     * @param executor the event loop
     * @param then called when it may have
     */
    boolean isReady(EventExecutor executor, Runnable then) {
        if (!buffers.isEmpty() || failure != null) {
            return true;
        }
        if (!coming && leftBytes > 0) {
            coming = true;
            long last = atByte + Math.min(leftBytes, CHUNK_BYTES) - 1;
            source.bytes(atByte, last)
                    .whenComplete(
                            (blocks, cause) ->
                                    executor.execute(() -> came(blocks, cause, last, then)));
        }
        return false;
    }

    private void came(
            MediaBody.@Nullable Blocks blocks,
            @Nullable Throwable cause,
            long last,
            Runnable then) {
        coming = false;
        if (blocks != null && (closed || blocks.sizeBytes() != last + 1 - atByte)) {
            blocks.close();
            failure = new IOException("another length than requested");
        } else if (blocks != null) {
            leftBytes -= blocks.sizeBytes();
            atByte = last + 1;
            for (MediaBlock block : blocks.blocks()) {
                buffers.add(NettyMediaBlock.take(block, 0, block.sizeBytes(), copies));
            }
        } else {
            failure = new IOException("another server has ended its answer", cause);
        }
        if (!closed) {
            then.run();
        }
    }

    /**
     * The next bytes; the caller owns the reference. Only when ready.
     *
     * @throws IOException where they cannot be fetched
     */
    ByteBuf next(int maxBytes) throws IOException {
        ByteBuf head = buffers.peek();
        if (head == null) {
            throw failure == null ? new IOException("nothing fetched") : failure;
        }
        if (head.readableBytes() > maxBytes) {
            return head.readRetainedSlice(maxBytes);
        }
        buffers.remove();
        return head;
    }

    void close() {
        closed = true;
        for (ByteBuf buffer = buffers.poll(); buffer != null; buffer = buffers.poll()) {
            buffer.release();
        }
    }
}
