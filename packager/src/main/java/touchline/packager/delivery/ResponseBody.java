package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.concurrent.EventExecutor;
import java.io.EOFException;
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

    /** Opens files; null if the body is in memory. */
    private final @Nullable OpenFiles files;

    /** Files after the open one; opened one by one, since there may be a thousand. */
    private final Queue<MediaBody.FileRange> remaining = new ArrayDeque<>(1);

    private OpenFiles.@Nullable OpenFile file;
    private long positionBytes;
    private long rangeBytes;
    private @Nullable Runnable whenClosed;

    /** Bytes of another server; null for all others. */
    private @Nullable FetchedChunks fetched;

    private ResponseBody(BodyChunks pieces, long leftBytes, @Nullable OpenFiles files) {
        this.pieces = pieces;
        this.leftBytes = leftBytes;
        this.files = files;
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
                    yield ofFiles(List.of(range), firstByte, lengthBytes, pieces, source.files());
                }
            }
            case MediaBody.PartlyStored both ->
                    ofBoth(both, firstByte, lengthBytes, pieces, source);
            case MediaBody.Fetched fetched ->
                    ofFetched(fetched, firstByte, lengthBytes, pieces, source);
            case MediaBody.FileSequence several -> {
                try (several) {
                    yield ofFiles(several.files(), firstByte, lengthBytes, pieces, source.files());
                }
            }
        };
    }

    /** Opens files and allocates buffers. */
    record Source(OpenFiles files, ByteBufAllocator buffers) {}

    /** A body in one buffer; takes ownership of it. */
    static ResponseBody of(ByteBuf buffer, BodyChunks pieces) {
        ResponseBody outgoing = new ResponseBody(pieces, buffer.readableBytes(), null);
        outgoing.buffers.add(buffer);
        return outgoing;
    }

    private static ResponseBody ofBlocks(
            MediaBody.Blocks blocks,
            long first,
            long length,
            BodyChunks pieces,
            ByteBufAllocator copies) {
        ResponseBody outgoing = new ResponseBody(pieces, length, null);
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
            outgoing = ofFiles(List.of(both.stored()), first, fromFile, pieces, source.files());
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
        ResponseBody outgoing = new ResponseBody(pieces, length, null);
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
            List<MediaBody.FileRange> ranges,
            long first,
            long length,
            BodyChunks pieces,
            OpenFiles files)
            throws IOException {
        ResponseBody outgoing = new ResponseBody(pieces, length, files);
        long skip = first;
        long wanted = length;
        for (MediaBody.FileRange range : ranges) {
            long from = Math.min(skip, range.sizeBytes());
            long count = Math.min(wanted, range.sizeBytes() - from);
            skip -= from;
            wanted -= count;
            if (count > 0) {
                outgoing.remaining.add(
                        new MediaBody.FileRange(range.file(), range.offsetBytes() + from, count));
            }
        }
        if (length > 0) {
            try {
                // Now, while the answer can still be 404.
                outgoing.openFile(files);
            } catch (IOException e) {
                outgoing.close();
                throw e;
            }
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
        return fetched == null || leftBytes == 0 || fetched.isReady(executor, then);
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
        if (files != null && (file != null || !remaining.isEmpty())) {
            OpenFiles.OpenFile from = openFile(files);
            return pieces == BodyChunks.WHOLE ? region(from) : read(from, allocator);
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

    private FileRegion region(OpenFiles.OpenFile from) {
        FileRegion region = from.region(positionBytes, rangeBytes);
        passed(rangeBytes);
        return region;
    }

    private ByteBuf read(OpenFiles.OpenFile from, ByteBufAllocator allocator) throws IOException {
        int count = (int) Math.min(pieces.maxBytes(), rangeBytes);
        ByteBuf piece = allocator.directBuffer(count, count);
        try {
            while (piece.isWritable()) {
                int read =
                        piece.writeBytes(
                                from.channel(),
                                positionBytes + piece.readableBytes(),
                                piece.writableBytes());
                if (read < 0) {
                    throw new EOFException("stored media ends at " + positionBytes);
                }
            }
        } catch (IOException e) {
            piece.release();
            throw e;
        }
        passed(count);
        return piece;
    }

    private void passed(long bytes) {
        positionBytes += bytes;
        rangeBytes -= bytes;
        leftBytes -= bytes;
        if (rangeBytes == 0) {
            closeFile();
        }
    }

    /** The current file, or the next one. */
    private OpenFiles.OpenFile openFile(OpenFiles from) throws IOException {
        OpenFiles.OpenFile current = file;
        if (current == null) {
            MediaBody.FileRange next = remaining.remove();
            current = from.acquire(next.file());
            file = current;
            positionBytes = next.offsetBytes();
            rangeBytes = next.sizeBytes();
            current.require(positionBytes + rangeBytes);
        }
        return current;
    }

    private void closeFile() {
        if (file != null) {
            file.release();
            file = null;
        }
    }

    @Override
    public void close() {
        leftBytes = 0;
        for (ByteBuf buffer = buffers.poll(); buffer != null; buffer = buffers.poll()) {
            buffer.release();
        }
        remaining.clear();
        if (fetched != null) {
            fetched.close();
        }
        closeFile();
        Runnable action = whenClosed;
        whenClosed = null;
        if (action != null) {
            action.run();
        }
    }
}
