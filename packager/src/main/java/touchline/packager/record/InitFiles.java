package touchline.packager.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The init segments of a session's folder. One with the same bytes as the one before gets a further
 * name of the same file (a hard link): every discontinuity has a name, and takes no inode. One
 * thread.
 */
final class InitFiles {
    private final Path folder;
    private final boolean forced;
    private @Nullable Path newest;
    private @Nullable ByteBuffer newestBytes;

    /**
     * @param forced whether files are forced to the device
     */
    InitFiles(Path folder, boolean forced) {
        this.folder = folder;
        this.forced = forced;
    }

    /** Stores an init segment, in place of an older file of this name. */
    void store(String name, ByteBuffer bytes) throws IOException {
        Path file = folder.resolve(name);
        Path before = newest;
        if (before == null || !bytes.equals(newestBytes) || !link(file, before)) {
            newestBytes = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
            write(file, bytes);
        }
        newest = file;
    }

    /** False where the file system has no links, or the file has too many. */
    private static boolean link(Path file, Path existing) {
        try {
            Files.deleteIfExists(file);
            Files.createLink(file, existing);
            return true;
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }

    private void write(Path file, ByteBuffer bytes) throws IOException {
        // A name of another init segment's file must not be written through.
        Files.deleteIfExists(file);
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            if (forced) {
                out.force(/* metaData= */ false);
            }
        }
    }
}
