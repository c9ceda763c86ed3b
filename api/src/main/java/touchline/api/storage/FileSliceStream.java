package touchline.api.storage;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** Reads a range of a file. One thread. */
final class FileSliceStream extends InputStream {
    /** The AWS SDK reads 4 KB at a time for its hash. */
    private static final int BUFFER_BYTES = 64 * 1024;

    private final FileChannel file;
    private final long endBytes;
    private long positionBytes;

    private FileSliceStream(FileChannel file, ObjectStorage.FileSlice slice) {
        this.file = file;
        this.positionBytes = slice.offsetBytes();
        this.endBytes = slice.offsetBytes() + slice.sizeBytes();
    }

    static InputStream open(ObjectStorage.FileSlice slice) throws IOException {
        return new BufferedInputStream(
                new FileSliceStream(FileChannel.open(slice.file(), StandardOpenOption.READ), slice),
                BUFFER_BYTES);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int wanted = (int) Math.min(length, endBytes - positionBytes);
        if (length == 0) {
            return 0;
        }
        if (wanted <= 0) {
            return -1;
        }
        int read = file.read(ByteBuffer.wrap(into, offset, wanted), positionBytes);
        if (read > 0) {
            positionBytes += read;
        }
        return read;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
