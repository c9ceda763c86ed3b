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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A browser's own temporary folder: profile, home and its other files. A lock on a file inside
 * marks the folder as in use; the kernel releases it when the server is killed. The next start
 * removes folders without a lock. Any thread.
 *
 * <p>The folder belongs to the browser's user, which must not redirect a server that runs as root.
 * So files are removed relative to an open directory, and no link is followed.
 */
final class BrowserFolder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BrowserFolder.class);
    private static final String NAME = "touchline-browser";

    /** In a folder of browsers only. */
    private static final String SHORT_NAME = "b";

    /** System property: the server's folder for browsers. */
    static final String FOLDER = "touchline.browser.folder";

    /** The browser makes a socket in its folder, whose path has at most 107 bytes (unix(7)). */
    private static final int MAX_PARENT = 40;

    private static final String LOCK = "server.lock";

    /** A younger folder without a lock may be about to be locked. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    /**
     * Folders of this server. Their lock files are never opened a second time: closing any
     * descriptor of a file releases all locks of the process on it (fcntl(2)).
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;

    private BrowserFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates a folder and removes abandoned ones of other servers. It is among the temporary files
     * unless the server has a folder for browsers that the browser's user can enter.
     *
     * @param ofServer whether the browser runs as the server's user
     */
    static BrowserFolder open(boolean ofServer) throws IOException {
        Optional<Path> own = ofServer ? own() : Optional.empty();
        return own.isPresent()
                ? open(own.get(), SHORT_NAME)
                : open(Path.of(System.getProperty("java.io.tmpdir")));
    }

    private static Optional<Path> own() {
        return Optional.ofNullable(System.getProperty(FOLDER))
                .filter(folder -> folder.length() <= MAX_PARENT)
                .map(Path::of);
    }

    static BrowserFolder open(Path parent) throws IOException {
        return open(parent, NAME);
    }

    private static BrowserFolder open(Path parent, String name) throws IOException {
        Files.createDirectories(parent);
        removeAbandoned(parent, name);
        Path path = Files.createTempDirectory(parent, name);
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

    private static void removeAbandoned(Path parent, String name) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, name + "*")) {
            for (Path each : all) {
                try {
                    if (isAbandoned(each)) {
                        remove(each);
                        log.info("removed {}, left by a server that has ended", each);
                    }
                } catch (IOException e) {
                    // The folder of another user, or of a concurrent start: neither matters.
                    log.debug("{} is not removed", each, e);
                }
            }
        }
    }

    private static boolean isAbandoned(Path folder) throws IOException {
        if (OWN.contains(folder) || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel =
                        FileChannel.open(
                                folder.resolve(LOCK),
                                // Both, so that opening a pipe of this name does not block.
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
            return; // Removed by another process.
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
