package touchline.api.app;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the rights of the group and of others from files that an earlier version of the server has
 * made. Nothing below a folder without such rights is reachable, so it is not looked at: later
 * starts cost nothing. Links are not followed. One thread.
 */
final class OwnerOnlyFiles extends SimpleFileVisitor<Path> {
    private static final Logger log = LoggerFactory.getLogger(OwnerOnlyFiles.class);
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);

    private long mended;
    private long refused;

    private OwnerOnlyFiles() {}

    /**
     * Mends a file or folder with all below it; does nothing where it is missing.
     *
     * @return how many were mended
     */
    static long mend(Path path) throws IOException {
        OwnerOnlyFiles files = new OwnerOnlyFiles();
        if (Files.exists(path)) {
            Files.walkFileTree(path, files);
        }
        if (files.mended > 0) {
            log.info("{}: {} files and folders are now for their owner only", path, files.mended);
        }
        if (files.refused > 0) {
            log.warn(
                    "{}: {} files and folders can be read by other users, and belong to another"
                            + " user: give them to the server's user",
                    path,
                    files.refused);
        }
        return files.mended;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
            throws IOException {
        return OWNER.containsAll(Files.getPosixFilePermissions(folder))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (attributes.isRegularFile()) {
            restrict(file);
        }
        return FileVisitResult.CONTINUE;
    }

    /** After what is in it: a start that is cut off begins again. */
    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) {
        restrict(folder);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
        refused++;
        return FileVisitResult.CONTINUE;
    }

    private void restrict(Path path) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            if (permissions.retainAll(OWNER)) {
                Files.setPosixFilePermissions(path, permissions);
                mended++;
            }
        } catch (IOException _) {
            refused++;
        }
    }
}
