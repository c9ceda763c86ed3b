package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.concurrent.EventExecutor;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.MediaBody;

/**
 * A range of files on its way to one viewer, one file after the other. Each is opened when it is
 * its turn, since there may be a thousand; files that are not on the disk yet are brought there
 * shortly before. Event loop only.
 */
final class FileChunks {
    /** Files that come to the disk while one is sent. */
    private static final int AHEAD = 2;

    private final OpenFiles files;
    private final BodyChunks pieces;
    private final MediaBody.FileSequence.Arrival arrival;
    private final Queue<MediaBody.FileRange> remaining = new ArrayDeque<>(1);
    private OpenFiles.@Nullable OpenFile file;
    private long positionBytes;
    private long rangeBytes;

    /** The next file, once it was asked for. */
    private @Nullable CompletableFuture<Path> coming;

    private boolean closed;

    /**
     * @param arrival of the files
     */
    FileChunks(OpenFiles files, BodyChunks pieces, MediaBody.FileSequence.Arrival arrival) {
        this.files = files;
        this.pieces = pieces;
        this.arrival = arrival;
    }

    /** The bytes of a range. */
    void add(List<MediaBody.FileRange> ranges, long first, long length) {
        long skip = first;
        long wanted = length;
        for (MediaBody.FileRange range : ranges) {
            long from = Math.min(skip, range.sizeBytes());
            long count = Math.min(wanted, range.sizeBytes() - from);
            skip -= from;
            wanted -= count;
            if (count > 0) {
                remaining.add(
                        new MediaBody.FileRange(range.file(), range.offsetBytes() + from, count));
            }
        }
    }

    boolean isEmpty() {
        return file == null && remaining.isEmpty();
    }

    /**
     * Opens the first file, if it is there.
     *
     * @throws IOException where it cannot be opened or is shorter than the index says
     */
    void open() throws IOException {
        if (areThere() && !isEmpty()) {
            OpenFiles.OpenFile _ = opened();
        }
    }

    /** None is asked for. */
    private boolean areThere() {
        return arrival.equals(MediaBody.FileSequence.Arrival.NONE);
    }

    /**
     * Whether {@link #next} may be called now, or nothing is left.
     *
     * @param executor the event loop
     * @param then called when it may
     */
    boolean isReady(EventExecutor executor, Runnable then) {
        if (file != null || remaining.isEmpty() || areThere()) {
            return true;
        }
        CompletableFuture<Path> next = coming;
        if (next == null) {
            next = arrival.of(remaining.element().file());
            coming = next;
            if (!next.isDone()) {
                CompletableFuture<Path> _ =
                        next.whenComplete((_, _) -> executor.execute(() -> came(then)));
            }
        }
        return next.isDone();
    }

    private void came(Runnable then) {
        if (!closed) {
            then.run();
        }
    }

    /**
     * The next chunk, a ByteBuf or a FileRegion; the caller owns its reference. Only when ready and
     * not empty.
     *
     * @throws IOException where the file cannot be had or read
     */
    Object next(ByteBufAllocator allocator) throws IOException {
        OpenFiles.OpenFile from = opened();
        if (pieces == BodyChunks.WHOLE) {
            FileRegion region = from.region(positionBytes, rangeBytes);
            passed(rangeBytes);
            return region;
        }
        return read(from, allocator);
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
        if (rangeBytes == 0) {
            closeFile();
        }
    }

    /** The current file, or the next one. */
    private OpenFiles.OpenFile opened() throws IOException {
        OpenFiles.OpenFile current = file;
        if (current == null) {
            MediaBody.FileRange next = remaining.remove();
            requireArrived(next.file());
            current = files.acquire(next.file());
            file = current;
            positionBytes = next.offsetBytes();
            rangeBytes = next.sizeBytes();
            current.require(positionBytes + rangeBytes);
            if (!areThere()) {
                remaining.stream().limit(AHEAD).forEach(each -> ask(each.file()));
            }
        }
        return current;
    }

    private void requireArrived(Path next) throws IOException {
        CompletableFuture<Path> arrived = coming;
        coming = null;
        if (arrived != null && arrived.isCompletedExceptionally()) {
            throw new IOException(next + " does not come", arrived.exceptionNow());
        }
    }

    /** A failure is seen when it is the file's turn. */
    private void ask(Path later) {
        CompletableFuture<Path> _ = arrival.of(later);
    }

    private void closeFile() {
        if (file != null) {
            file.release();
            file = null;
        }
    }

    void close() {
        closed = true;
        remaining.clear();
        closeFile();
    }
}
