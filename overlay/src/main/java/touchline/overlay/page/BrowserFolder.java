package touchline.overlay.page;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A browser's own folder among the temporary files: profile, home and what it writes. A lock on a
 * file in it, which the kernel takes back when the server is killed, says that it is in use; what
 * killed servers left is removed at the next start. Any thread.
 *
 * <p>It belongs to the browser's user, who must not lead a server that runs as root elsewhere: what
 * is removed is named from an open folder on, and no link is followed.
 */
final class BrowserFolder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BrowserFolder.class);
    private static final String NAME = "touchline-browser";
    private static final String LOCK = "server.lock";

    /** One without a lock this young may be about to be locked. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    /**
     * This server's own: their locks are not even looked at, since closing any descriptor of a file
     * gives up all locks that a process has on it (fcntl(2)).
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;

    private BrowserFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes one in the folder of temporary files, and removes what is left there of others. */
    static BrowserFolder open() throws IOException {
        return open(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static BrowserFolder open(Path parent) throws IOException {
        tidy(parent);
        Path path = Files.createTempDirectory(parent, NAME);
        OWN.add(path);
        try {
            FileChannel lock =
                    FileChannel.open(
                            path.resolve(LOCK),
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.WRITE);
            lock.lock();
            return new BrowserFolder(path, lock);
        } catch (IOException e) {
            remove(path);
            OWN.remove(path);
            throw e;
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        remove(path);
        lock.close();
        OWN.remove(path);
    }

    private static void tidy(Path parent) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, NAME + "*")) {
            for (Path each : all) {
                try {
                    if (isLeft(each)) {
                        remove(each);
                        log.info("removed {}, which an ended server left", each);
                    }
                } catch (IOException e) {
                    // Another user's, or two starts at once: neither is in the way.
                    log.debug("{} stays", each, e);
                }
            }
        }
    }

    private static boolean isLeft(Path folder) throws IOException {
        if (OWN.contains(folder) || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel =
                        FileChannel.open(
                                folder.resolve(LOCK),
                                // Both, so that not even a pipe of this name is waited for.
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS);
                FileLock gained = channel.tryLock()) {
            return gained != null;
        } catch (NoSuchFileException _) {
            Instant changed =
                    Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
            return changed.isBefore(Instant.now().minus(YOUNG));
        }
    }

    private static void remove(Path folder) throws IOException {
        Path parent = folder.toAbsolutePath().getParent();
        Path name = folder.getFileName();
        if (parent == null || name == null) {
            throw new IllegalArgumentException("folder: " + folder);
        }
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(parent)) {
            if (!(opened instanceof SecureDirectoryStream<Path> safe)) {
                throw new IOException("no safe way to remove " + folder + " on this system");
            }
            removeTree(safe, name);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void removeTree(SecureDirectoryStream<Path> in, Path name) throws IOException {
        try (SecureDirectoryStream<Path> folder =
                in.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path each : folder) {
                Path inside = each.getFileName();
                if (isFolder(folder, inside)) {
                    removeTree(folder, inside);
                } else {
                    folder.deleteFile(inside);
                }
            }
        } catch (NoSuchFileException _) {
            return; // Somebody was quicker.
        }
        in.deleteDirectory(name);
    }

    private static boolean isFolder(SecureDirectoryStream<Path> in, Path name) throws IOException {
        return in.getFileAttributeView(
                        name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
    }
}
