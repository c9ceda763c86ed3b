package touchline.media.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A media file as bytes at positions: one file, or several shown as one without a copy. FFmpeg is
 * handed these and never a name, so it cannot open anything else. One thread; whoever opened it
 * closes it.
 */
public interface SeekableBytes extends AutoCloseable {
    long sizeBytes();

    /**
     * Reads from a position on.
     *
     * @return how many bytes, at least 1 where there is room; -1 at the end
     */
    int read(long positionBytes, ByteBuffer into) throws IOException;

    @Override
    void close() throws IOException;

    /** The bytes of one file, as it is now. */
    static SeekableBytes open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        long sizeBytes = channel.size();
        return new SeekableBytes() {
            @Override
            public long sizeBytes() {
                return sizeBytes;
            }

            @Override
            public int read(long positionBytes, ByteBuffer into) throws IOException {
                return channel.read(into, positionBytes);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
