package touchline.packager.delivery;

import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCounted;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps recently sent files open: many viewers fetch the same file, and opening it costs as much as
 * sending a part. A file deleted meanwhile occupies disk space until it is closed. Any thread.
 */
final class OpenFiles {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);
    private static final long KEEP_NS = Duration.ofSeconds(5).toNanos();
    private static final int MAX_FILES = 256;

    private final ConcurrentHashMap<Path, OpenFile> files = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    OpenFiles(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** An open file with a reference for its user. */
    static final class OpenFile extends AbstractReferenceCounted {
        private final FileChannel channel;
        private volatile long usedNs;

        /** Minimum size of the file, which may grow but never shrinks. */
        private volatile long sizeBytes;

        private OpenFile(FileChannel channel) {
            this.channel = channel;
        }

        /** Owned by this object. */
        FileChannel channel() {
            return channel;
        }

        /** A region for sendfile, with its own reference to the file. */
        FileRegion region(long positionBytes, long lengthBytes) {
            retain();
            return new Region(this, positionBytes, lengthBytes);
        }

        /**
         * @throws EOFException where the file is shorter
         */
        void require(long bytes) throws IOException {
            if (sizeBytes < bytes) {
                sizeBytes = channel.size();
            }
            if (sizeBytes < bytes) {
                throw new EOFException(
                        "stored media: " + sizeBytes + " bytes (expected: >= " + bytes + ")");
            }
        }

        @Override
        protected void deallocate() {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("stored media could not be closed", e);
            }
        }

        @Override
        public ReferenceCounted touch(Object hint) {
            return this;
        }
    }

    /** Releases its reference instead of closing the file. */
    private static final class Region extends DefaultFileRegion {
        private final OpenFile file;

        Region(OpenFile file, long positionBytes, long lengthBytes) {
            super(file.channel(), positionBytes, lengthBytes);
            this.file = file;
        }

        @Override
        protected void deallocate() {
            file.release();
        }
    }

    /**
     * The caller releases it.
     *
     * @throws IOException where it cannot be opened
     */
    OpenFile acquire(Path path) throws IOException {
        OpenFile known = files.get(path);
        if (known != null && tryRetain(known)) {
            known.usedNs = nanoTime.getAsLong();
            return known;
        }
        OpenFile opened = new OpenFile(FileChannel.open(path, StandardOpenOption.READ));
        opened.usedNs = nanoTime.getAsLong();
        if (files.size() < MAX_FILES) {
            opened.retain();
            OpenFile before = files.put(path, opened);
            if (before != null) {
                before.release();
            }
        }
        return opened;
    }

    /** Closes files without recent requests. Call it every few seconds. */
    void sweep() {
        long now = nanoTime.getAsLong();
        files.forEach(
                (path, file) -> {
                    if (now - file.usedNs > KEEP_NS && files.remove(path, file)) {
                        file.release();
                    }
                });
    }

    /** Closes everything that is not being sent. */
    void close() {
        files.forEach(
                (path, file) -> {
                    if (files.remove(path, file)) {
                        file.release();
                    }
                });
    }

    private static boolean tryRetain(OpenFile file) {
        try {
            file.retain();
            return true;
        } catch (IllegalReferenceCountException _) {
            // Swept at this moment.
            return false;
        }
    }
}
