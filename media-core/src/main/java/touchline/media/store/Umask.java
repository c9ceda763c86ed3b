package touchline.media.store;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The permissions of files that this process and its children create (umask(2)). Any thread; the
 * mask holds for all threads.
 */
public final class Umask {
    private static final int OWNER_ONLY = 077;
    private static final int UNKNOWN = -1;

    /** As the process got it. */
    private static final AtomicInteger INHERITED = new AtomicInteger(UNKNOWN);

    private Umask() {}

    /** From now on new files and folders are for their owner only: the database, too. */
    @SuppressWarnings("restricted") // the server is started with native access
    public static void ownerOnly() {
        Linker linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup().findOrThrow("umask");
        MethodHandle umask =
                linker.downcallHandle(
                        function,
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            INHERITED.compareAndSet(UNKNOWN, (int) umask.invokeExact(OWNER_ONLY));
        } catch (Throwable e) {
            throw new IllegalStateException("umask", e);
        }
    }

    /**
     * Gives a file or folder the permissions that it has without {@link #ownerOnly}. For what
     * leaves the data folder: the operator's programs read it.
     */
    public static void asInherited(Path path) throws IOException {
        int inherited = INHERITED.get();
        if (inherited == UNKNOWN) {
            return;
        }
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        int mode = (Files.isDirectory(path) ? 0777 : 0666) & ~inherited;
        PosixFilePermission[] bits = PosixFilePermission.values();
        for (int i = 0; i < bits.length; i++) {
            if ((mode & (0400 >> i)) != 0) {
                permissions.add(bits[i]);
            }
        }
        Files.setPosixFilePermissions(path, permissions);
    }
}
