package touchline.media.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What a disk has left: bytes, and inodes for further files. Immutable, any thread.
 *
 * @param freeBytes that this process may still write
 * @param totalBytes of the whole disk
 * @param freeInodes for new files; {@link Long#MAX_VALUE} where the file system has no such limit
 * @param totalInodes likewise
 */
public record DiskSpace(long freeBytes, long totalBytes, long freeInodes, long totalInodes) {
    /** Of struct statvfs on 64-bit Linux (statvfs(3)). */
    private static final long STATVFS_BYTES = 112;

    private static final long FILES_OFFSET = 40;
    private static final long FILES_AVAILABLE_OFFSET = 56;

    /** Loaded with the first question. */
    @SuppressWarnings("restricted") // the server is started with native access
    private static final class Native {
        private static final MethodHandle STATVFS =
                Linker.nativeLinker()
                        .downcallHandle(
                                Linker.nativeLinker().defaultLookup().findOrThrow("statvfs"),
                                FunctionDescriptor.of(
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.ADDRESS));

        private Native() {}
    }

    /**
     * Of the disk with a file or folder. Blocks.
     *
     * @throws IOException it cannot be read
     */
    public static DiskSpace of(Path path) throws IOException {
        FileStore store = Files.getFileStore(path);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(STATVFS_BYTES, Long.BYTES);
            MemorySegment name = arena.allocateFrom(path.toString());
            int failed = (int) Native.STATVFS.invokeExact(name, result);
            if (failed != 0) {
                throw new NoSuchFileException(path.toString());
            }
            long inodes = result.get(ValueLayout.JAVA_LONG, FILES_OFFSET);
            // Btrfs and others make inodes as they need them, and report none.
            boolean limited = inodes > 0;
            return new DiskSpace(
                    store.getUsableSpace(),
                    store.getTotalSpace(),
                    limited
                            ? result.get(ValueLayout.JAVA_LONG, FILES_AVAILABLE_OFFSET)
                            : Long.MAX_VALUE,
                    limited ? inodes : Long.MAX_VALUE);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("statvfs", e);
        }
    }

    /** Whether this is less than the least in bytes or in inodes. */
    public boolean isBelow(Least least) {
        return freeBytes < least.bytes() || freeInodes < least.inodes();
    }

    /** What is missing, for people. */
    public String shortage(Least least) {
        return freeBytes < least.bytes()
                ? "free: %d bytes (expected: >= %d)".formatted(freeBytes, least.bytes())
                : "free: %d inodes (expected: >= %d)".formatted(freeInodes, least.inodes());
    }

    /**
     * What storing leaves free.
     *
     * @param inodes 0: they are not watched
     */
    public record Least(long bytes, long inodes) {
        /** Half as much more, so that storing does not stop and start in turns. */
        public Least withMargin() {
            return new Least(bytes + bytes / 2, inodes + inodes / 2);
        }

        /** At least this many bytes. */
        public Least orBytes(long other) {
            return new Least(Math.max(bytes, other), inodes);
        }
    }
}
