package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;

/**
 * A stretch of a {@link MediaBody} on its way out, handed over in pieces. What was not handed over
 * is given back by {@link #close}. Event loop only.
 */
final class OutgoingBody implements AutoCloseable {
    private final BodyPieces pieces;
    private final Queue<ByteBuf> buffers = new ArrayDeque<>(4);
    private OpenFiles.@Nullable OpenFile file;
    private long positionBytes;
    private long leftBytes;

    private OutgoingBody(BodyPieces pieces, long positionBytes, long leftBytes) {
        this.pieces = pieces;
        this.positionBytes = positionBytes;
        this.leftBytes = leftBytes;
    }

    /**
     * Takes ownership of the body, also where it throws.
     *
     * @param source where files are opened, and buffers made
     * @param pieces whole ones are blocks and file regions, others are buffers
     * @throws IOException where the file cannot be opened or is shorter than the index says
     */
    static OutgoingBody open(
            MediaBody body, long firstByte, long lengthBytes, BodyPieces pieces, Source source)
            throws IOException {
        return switch (body) {
            case MediaBody.Blocks blocks ->
                    ofBlocks(blocks, firstByte, lengthBytes, pieces, source.buffers());
            case MediaBody.FileRange range -> {
                try (range) {
                    yield ofFile(range, firstByte, lengthBytes, pieces, source.files());
                }
            }
        };
    }

    /** What bodies are made with. */
    record Source(OpenFiles files, ByteBufAllocator buffers) {}

    private static OutgoingBody ofBlocks(
            MediaBody.Blocks blocks,
            long first,
            long length,
            BodyPieces pieces,
            ByteBufAllocator copies) {
        OutgoingBody outgoing = new OutgoingBody(pieces, 0, length);
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

    private static OutgoingBody ofFile(
            MediaBody.FileRange range, long first, long length, BodyPieces pieces, OpenFiles files)
            throws IOException {
        long position = range.offsetBytes() + first;
        OutgoingBody outgoing = new OutgoingBody(pieces, position, length);
        OpenFiles.OpenFile file = files.acquire(range.file());
        outgoing.file = file;
        try {
            file.require(position + length);
        } catch (IOException e) {
            outgoing.close();
            throw e;
        }
        return outgoing;
    }

    /** From a file: then nothing in memory waits for the viewer. */
    boolean isStored() {
        return file != null;
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
            return pieces == BodyPieces.WHOLE ? region() : read(allocator);
        }
        if (head.readableBytes() <= pieces.maxBytes()) {
            buffers.remove();
            leftBytes -= head.readableBytes();
            return head;
        }
        leftBytes -= pieces.maxBytes();
        return head.readRetainedSlice(pieces.maxBytes());
    }

    private FileRegion region() {
        FileRegion region = openFile().region(positionBytes, leftBytes);
        close();
        return region;
    }

    private ByteBuf read(ByteBufAllocator allocator) throws IOException {
        int count = (int) Math.min(pieces.maxBytes(), leftBytes);
        ByteBuf piece = allocator.directBuffer(count, count);
        try {
            while (piece.isWritable()) {
                int read =
                        piece.writeBytes(
                                openFile().channel(),
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
        positionBytes += count;
        leftBytes -= count;
        return piece;
    }

    private OpenFiles.OpenFile openFile() {
        if (file == null) {
            throw new IllegalStateException("nothing left");
        }
        return file;
    }

    @Override
    public void close() {
        leftBytes = 0;
        for (ByteBuf buffer = buffers.poll(); buffer != null; buffer = buffers.poll()) {
            buffer.release();
        }
        if (file != null) {
            file.release();
            file = null;
        }
    }
}
