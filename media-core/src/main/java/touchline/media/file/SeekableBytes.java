package touchline.media.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Random access to the bytes of a media file: one file, or several presented as one without a copy.
 * FFmpeg receives these bytes and never a file name, so it cannot open other files. One thread. The
 * caller that opens it closes it.
 */
public interface SeekableBytes extends AutoCloseable {
    long sizeBytes();

    /**
     * Reads from a position.
     *
     * @return number of bytes, at least 1 if the target has room; -1 at the end
     */
    int read(long positionBytes, ByteBuffer into) throws IOException;

    @Override
    void close() throws IOException;

    /** Opens one file. */
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
