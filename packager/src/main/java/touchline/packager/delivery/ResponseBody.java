package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;

/**
 * A range of a {@link MediaBody} being sent, written in chunks: files first, then buffers. {@link
 * #close} releases the rest. Event loop only.
 */
final class ResponseBody implements AutoCloseable {
    private final BodyChunks pieces;
    private final Queue<ByteBuf> buffers = new ArrayDeque<>(4);
    private long leftBytes;

    /** Files; null if the body is in memory. */
    private @Nullable FileChunks files;

    private @Nullable Runnable whenClosed;

    /** Bytes of another server; null for all others. */
    private @Nullable FetchedChunks fetched;

    private ResponseBody(BodyChunks pieces, long leftBytes) {
        this.pieces = pieces;
        this.leftBytes = leftBytes;
    }

    /**
     * Takes ownership of the body, also where it throws.
     *
     * @param source opens files and allocates buffers
     * @param pieces whole chunks are blocks and file regions, others are buffers
     * @throws IOException where the file cannot be opened or is shorter than the index says
     */
    static ResponseBody open(
            MediaBody body, long firstByte, long lengthBytes, BodyChunks pieces, Source source)
            throws IOException {
        return switch (body) {
            case MediaBody.Blocks blocks ->
                    ofBlocks(blocks, firstByte, lengthBytes, pieces, source.buffers());
            case MediaBody.FileRange range -> {
                try (range) {
                    MediaBody.FileSequence one = new MediaBody.FileSequence(List.of(range));
                    yield ofFiles(one, firstByte, lengthBytes, pieces, source.files());
                }
            }
            case MediaBody.PartlyStored both ->
                    ofBoth(both, firstByte, lengthBytes, pieces, source);
            case MediaBody.Fetched fetched ->
                    ofFetched(fetched, firstByte, lengthBytes, pieces, source);
            case MediaBody.FileSequence several -> {
                try (several) {
                    yield ofFiles(several, firstByte, lengthBytes, pieces, source.files());
                }
            }
        };
    }

    /** Opens files and allocates buffers. */
    record Source(OpenFiles files, ByteBufAllocator buffers) {}

    /** A body in one buffer; takes ownership of it. */
    static ResponseBody of(ByteBuf buffer, BodyChunks pieces) {
        ResponseBody outgoing = new ResponseBody(pieces, buffer.readableBytes());
        outgoing.buffers.add(buffer);
        return outgoing;
    }

    private static ResponseBody ofBlocks(
            MediaBody.Blocks blocks,
            long first,
            long length,
            BodyChunks pieces,
            ByteBufAllocator copies) {
        ResponseBody outgoing = new ResponseBody(pieces, length);
        outgoing.add(blocks, first, length, copies);
        return outgoing;
    }

    private static ResponseBody ofBoth(
            MediaBody.PartlyStored both, long first, long length, BodyChunks pieces, Source source)
            throws IOException {
        long stored = both.stored().sizeBytes();
        if (first >= stored) {
            return ofBlocks(both.rest(), first - stored, length, pieces, source.buffers());
        }
        long fromFile = Math.min(length, stored - first);
        ResponseBody outgoing;
        try {
            MediaBody.FileSequence one = new MediaBody.FileSequence(List.of(both.stored()));
            outgoing = ofFiles(one, first, fromFile, pieces, source.files());
        } catch (IOException e) {
            both.close();
            throw e;
        }
        outgoing.leftBytes = length;
        outgoing.add(both.rest(), 0, length - fromFile, source.buffers());
        return outgoing;
    }

    private static ResponseBody ofFetched(
            MediaBody.Fetched body, long first, long length, BodyChunks pieces, Source source) {
        ResponseBody outgoing = new ResponseBody(pieces, length);
        outgoing.fetched = new FetchedChunks(body, first, length, source.buffers());
        return outgoing;
    }

    /** Takes ownership of the blocks. */
    private void add(MediaBody.Blocks blocks, long first, long length, ByteBufAllocator copies) {
        long skip = first;
        long wanted = length;
        for (MediaBlock block : blocks.blocks()) {
            int from = (int) Math.min(skip, block.sizeBytes());
            int count = (int) Math.min(wanted, block.sizeBytes() - from);
            skip -= from;
            wanted -= count;
            if (count == 0) {
                block.release();
            } else {
                buffers.add(NettyMediaBlock.take(block, from, count, copies));
            }
        }
    }

    private static ResponseBody ofFiles(
            MediaBody.FileSequence body,
            long first,
            long length,
            BodyChunks pieces,
            OpenFiles files)
            throws IOException {
        ResponseBody outgoing = new ResponseBody(pieces, length);
        FileChunks chunks = new FileChunks(files, pieces, body.arrival());
        outgoing.files = chunks;
        chunks.add(body.files(), first, length);
        try {
            // Now, while the answer can still be 404.
            chunks.open();
        } catch (IOException e) {
            outgoing.close();
            throw e;
        }
        return outgoing;
    }

    /** Runs an action when everything is written, or the body is closed. */
    void whenClosed(Runnable action) {
        whenClosed = action;
    }

    /**
     * Whether {@link #next} may be called now, or nothing is left. Else it is called when that has
     * changed.
     *
     * @param executor the event loop
     */
    boolean isReady(EventExecutor executor, Runnable then) {
        if (leftBytes == 0) {
            return true;
        }
        return (files == null || files.isReady(executor, then))
                && (fetched == null || fetched.isReady(executor, then));
    }

    /** Whether it comes from files or another server: then it holds hardly any memory. */
    boolean isStored() {
        return (files != null || fetched != null) && buffers.isEmpty();
    }

    /** Bytes not written yet. */
    long leftBytes() {
        return leftBytes;
    }

    /** The whole body, if it is one buffer that may be written at once; then nothing is left. */
    @Nullable ByteBuf single() {
        if (files != null || buffers.size() != 1 || leftBytes > pieces.maxBytes()) {
            return null;
        }
        leftBytes = 0;
        return buffers.poll();
    }

    /**
     * The next chunk, a ByteBuf or a FileRegion; the caller owns its reference. Only while bytes
     * are left.
     *
     * @throws IOException where the file cannot be read
     */
    Object next(ByteBufAllocator allocator) throws IOException {
        if (files != null && !files.isEmpty()) {
            Object chunk = files.next(allocator);
            leftBytes -= sizeOf(chunk);
            return chunk;
        }
        if (fetched != null) {
            ByteBuf chunk = fetched.next(pieces.maxBytes());
            leftBytes -= chunk.readableBytes();
            return chunk;
        }
        ByteBuf head = buffers.peek();
        if (head == null) {
            throw new IllegalStateException("nothing left");
        }
        if (head.readableBytes() <= pieces.maxBytes()) {
            buffers.remove();
            leftBytes -= head.readableBytes();
            return head;
        }
        leftBytes -= pieces.maxBytes();
        return head.readRetainedSlice(pieces.maxBytes());
    }

    private static long sizeOf(Object chunk) {
        return chunk instanceof FileRegion region
                ? region.count()
                : ((ByteBuf) chunk).readableBytes();
    }

    @Override
    public void close() {
        leftBytes = 0;
        for (ByteBuf buffer = buffers.poll(); buffer != null; buffer = buffers.poll()) {
            buffer.release();
        }
        if (fetched != null) {
            fetched.close();
        }
        if (files != null) {
            files.close();
        }
        Runnable action = whenClosed;
        whenClosed = null;
        if (action != null) {
            action.run();
        }
    }
}
