package touchline.media.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link MediaStore} in a folder: a key is a path below it. Bytes are written to a temporary file
 * in the target folder, synced to the disk and renamed. Temporary names begin with a dot, keys
 * never do. Links out of the folder are never followed. Any thread.
 */
public final class DiskMediaStore implements MediaStore {
    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}";
    private static final Pattern KEY = Pattern.compile(NAME + "(/" + NAME + "){0,7}");

    private static final Logger log = LoggerFactory.getLogger(DiskMediaStore.class);

    private final Path root;
    private final ReentrantLock folders = new ReentrantLock();

    /**
     * @param root created if missing; everything below it belongs to this store
     */
    public DiskMediaStore(Path root) {
        try {
            this.root = Files.createDirectories(root).toRealPath();
        } catch (IOException e) {
            throw new MediaStoreException("store " + root, e);
        }
    }

    @Override
    public void put(String key, ByteBuffer bytes) {
        Path file = file(key);
        Path temporary = file.resolveSibling("." + UUID.randomUUID());
        try {
            try (FileChannel channel = create(temporary)) {
                ByteBuffer left = bytes.duplicate();
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.force(true);
            }
            Files.move(
                    temporary,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            force(folder(file));
        } catch (IOException e) {
            throw failed("put", key, temporary, e);
        }
    }

    @Override
    public Optional<SeekableByteChannel> open(String key) {
        Path file = file(key);
        try {
            checkInside(folder(file));
            return Optional.of(
                    FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new MediaStoreException("open " + key, e);
        }
    }

    @Override
    public List<String> list(String prefix) {
        Path start = prefix.isEmpty() ? root : file(prefix);
        if (!Files.exists(start, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(start)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> root.relativize(file).toString())
                    .filter(key -> KEY.matcher(key).matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new MediaStoreException("list " + prefix, e);
        }
    }

    @Override
    public boolean delete(String key) {
        Path file = file(key);
        try {
            checkInside(folder(file));
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            boolean was = Files.deleteIfExists(file);
            removeEmpty(folder(file));
            return was;
        } catch (NoSuchFileException _) {
            return false;
        } catch (IOException e) {
            throw new MediaStoreException("delete " + key, e);
        }
    }

    private Path file(String key) {
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException("key: " + key.length() + " characters, not a key");
        }
        return root.resolve(key);
    }

    /** Rejects a folder that was replaced by a link to another place. */
    private void checkInside(Path folder) throws IOException {
        if (!folder.toRealPath().equals(folder)) {
            throw new IOException("a link leads out of the store");
        }
    }

    /** A concurrent delete does not remove a folder that contains a file. */
    private FileChannel create(Path temporary) throws IOException {
        folders.lock();
        try {
            Files.createDirectories(folder(temporary));
            checkInside(folder(temporary));
            return FileChannel.open(
                    temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        } finally {
            folders.unlock();
        }
    }

    /** Syncs the folder: only then is the rename on the disk (POSIX rename, fsync). */
    private static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static MediaStoreException failed(
            String what, String key, Path temporary, IOException cause) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return new MediaStoreException(what + " " + key, cause);
    }

    /** Deletes folders that are empty; a folder with a new file stays. */
    private void removeEmpty(Path folder) throws IOException {
        folders.lock();
        try {
            for (Path empty = folder; !empty.equals(root); empty = folder(empty)) {
                Files.delete(empty);
            }
        } catch (DirectoryNotEmptyException | NoSuchFileException e) {
            log.trace("{} stays", folder, e);
        } finally {
            folders.unlock();
        }
    }

    /** Never returns null: every key is below the root. */
    private static Path folder(Path file) {
        return Objects.requireNonNull(file.getParent());
    }
}
