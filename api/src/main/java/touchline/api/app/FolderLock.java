package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import touchline.api.domain.RandomText;

/**
 * The lock of a data folder, held until it is closed or the process ends. The file also has an id
 * of the folder. One thread.
 */
final class FolderLock implements AutoCloseable {
    private static final int ID_BYTES = 64;
    private static final int ID_BITS = 128;

    private final FileChannel file;

    /**
     * @param file locked; closed with this
     */
    FolderLock(FileChannel file) {
        this.file = file;
    }

    /**
     * The id of the folder, made when it is first asked for. Random: it stays when the folder moves
     * to another host.
     */
    String id() {
        try {
            ByteBuffer bytes = ByteBuffer.allocate(ID_BYTES);
            file.read(bytes, 0);
            String id = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
            if (!id.matches("[0-9a-zA-Z]{16,64}")) {
                id = RandomText.ofBits(ID_BITS);
                file.write(ByteBuffer.wrap(id.getBytes(StandardCharsets.US_ASCII)), 0);
                file.force(true);
            }
            return id;
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot write its lock", e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
