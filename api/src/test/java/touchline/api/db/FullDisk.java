package touchline.api.db;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * A file system of H2's, {@code full:}, that has no space left when that is wanted. Public, since
 * H2 makes its own instances.
 */
public final class FullDisk extends FilePathWrapper {
    static final String SCHEME = "full";

    private static final AtomicBoolean FULL = new AtomicBoolean();

    static void register() {
        FilePath.register(new FullDisk());
    }

    static void full(boolean full) {
        FULL.set(full);
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new FullFile(super.open(mode));
    }

    /** Everything but writing works. */
    private static final class FullFile extends FileBase {
        private final FileChannel file;

        private FullFile(FileChannel file) {
            this.file = file;
        }

        private static void checkSpace() throws IOException {
            if (FULL.get()) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            checkSpace();
            return file.write(from);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return file.read(to);
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            file.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            file.truncate(size);
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            file.force(metaData);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return file.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
