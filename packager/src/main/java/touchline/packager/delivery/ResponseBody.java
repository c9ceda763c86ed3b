package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;

/**
 * A stretch of a {@link MediaBody} on its way out, handed over in pieces. What was not handed over
 * is given back by {@link #close}. Event loop only.
 */
final class ResponseBody implements AutoCloseable {
    private final BodyChunks pieces;
    private final Queue<ByteBuf> buffers = new ArrayDeque<>(4);
    private long leftBytes;

    /** Where files are opened; null where the body lies in memory. */
    private final @Nullable OpenFiles files;

    /** What comes behind the open file: not opened yet, since there may be a thousand. */
    private final Queue<MediaBody.FileRange> stretches = new ArrayDeque<>(1);

    private OpenFiles.@Nullable OpenFile file;
    private long positionBytes;
    private long stretchBytes;
    private @Nullable Runnable whenClosed;

    private ResponseBody(BodyChunks pieces, long leftBytes, @Nullable OpenFiles files) {
        this.pieces = pieces;
        this.leftBytes = leftBytes;
        this.files = files;
    }

    /**
     * Takes ownership of the body, also where it throws.
     *
     * @param source where files are opened, and buffers made
     * @param pieces whole ones are blocks and file regions, others are buffers
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
            case MediaBody.FileSequence several -> {
                try (several) {
                    yield ofFiles(several.files(), firstByte, lengthBytes, pieces, source.files());
                }
            }
        };
    }

    /** What bodies are made with. */
    record Source(OpenFiles files, ByteBufAllocator buffers) {}

    /** What lies in one buffer already; takes ownership of it. */
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
                outgoing.buffers.add(NettyMediaBlock.take(block, from, count, copies));
            }
        }
        return outgoing;
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
                outgoing.stretches.add(
                        new MediaBody.FileRange(range.file(), range.offsetBytes() + from, count));
            }
        }
        if (length > 0) {
            try {
                // Now, while an answer can still say that it is gone.
                outgoing.openFile(files);
            } catch (IOException e) {
                outgoing.close();
                throw e;
            }
        }
        return outgoing;
    }

    /** Has something run when all is handed over, or nothing more will be. */
    void whenClosed(Runnable action) {
        whenClosed = action;
    }

    /** From a file: then nothing in memory waits for the viewer. */
    boolean isStored() {
        return files != null;
    }

    /** Bytes not handed over yet. */
    long leftBytes() {
        return leftBytes;
    }

    /** All of it, where that is one buffer that may go out at once; then nothing is left here. */
    @Nullable ByteBuf single() {
        if (buffers.size() != 1 || leftBytes > pieces.maxBytes()) {
            return null;
        }
        leftBytes = 0;
        return buffers.poll();
    }

    /**
     * The next piece, a ByteBuf or a FileRegion; its reference is the caller's. Only while
     * something is left.
     *
     * @throws IOException where the file cannot be read
     */
    Object next(ByteBufAllocator allocator) throws IOException {
        ByteBuf head = buffers.peek();
        if (head == null) {
            if (files == null || leftBytes == 0) {
                throw new IllegalStateException("nothing left");
            }
            OpenFiles.OpenFile from = openFile(files);
            return pieces == BodyChunks.WHOLE ? region(from) : read(from, allocator);
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
        FileRegion region = from.region(positionBytes, stretchBytes);
        passed(stretchBytes);
        return region;
    }

    private ByteBuf read(OpenFiles.OpenFile from, ByteBufAllocator allocator) throws IOException {
        int count = (int) Math.min(pieces.maxBytes(), stretchBytes);
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
        stretchBytes -= bytes;
        leftBytes -= bytes;
        if (stretchBytes == 0) {
            closeFile();
        }
    }

    /** The file under way, or the next one. */
    private OpenFiles.OpenFile openFile(OpenFiles from) throws IOException {
        OpenFiles.OpenFile current = file;
        if (current == null) {
            MediaBody.FileRange next = stretches.remove();
            current = from.acquire(next.file());
            file = current;
            positionBytes = next.offsetBytes();
            stretchBytes = next.sizeBytes();
            current.require(positionBytes + stretchBytes);
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
        stretches.clear();
        closeFile();
        Runnable action = whenClosed;
        whenClosed = null;
        if (action != null) {
            action.run();
        }
    }
}
