package touchline.api.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import touchline.api.domain.RandomText;
import touchline.api.storage.StorageException.Kind;
import touchline.media.store.Umask;

/**
 * A folder of this host as a bucket. A file exists completely or not at all. Symbolic links that
 * lead out of the bucket are rejected. Any thread.
 */
final class FileObjectStorage implements ObjectStorage {
    private static final String PARTIAL = ".partial-";
    private static final int NAME_BITS = 64;

    private final Path bucket;

    /**
     * @param root configured by the operator
     * @param bucket one name, validated before
     */
    FileObjectStorage(Path root, String bucket) {
        this.bucket = root.toAbsolutePath().normalize().resolve(bucket);
    }

    @Override
    public void put(String key, FileSlice content, String contentType) throws StorageException {
        Path to = path(key);
        Path partial = to.resolveSibling(PARTIAL + RandomText.ofBits(NAME_BITS));
        try {
            createFolders(folderOf(to));
            refuseLinks(folderOf(to));
            try (InputStream in = FileSliceStream.open(content);
                    FileChannel out =
                            FileChannel.open(
                                    partial,
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.WRITE)) {
                in.transferTo(java.nio.channels.Channels.newOutputStream(out));
                out.force(/* metaData= */ false);
            }
            Umask.asInherited(partial);
            Files.move(
                    partial,
                    to,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw failed("cannot be written", e);
        } finally {
            remove(partial);
        }
    }

    /** With the rights that the operator's umask leaves, unlike the data folder. */
    private static void createFolders(Path folder) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path each = folder; !Files.exists(each); each = folderOf(each)) {
            missing.push(each);
        }
        Files.createDirectories(folder);
        for (Path each : missing) {
            Umask.asInherited(each);
        }
    }

    private static void remove(Path partial) {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException _) {
            // The sweep of the task's folder deletes it.
        }
    }

    @Override
    public long maxPutBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public Parts begin(String key, String contentType) {
        throw new IllegalStateException("files are stored in one call (no parts)");
    }

    @Override
    public void read(String key, OutputStream to) throws IOException {
        try {
            Files.copy(path(key), to);
        } catch (NoSuchFileException e) {
            throw new StorageException(Kind.FAILED, "bucket", "the file is not there", e);
        }
    }

    @Override
    public List<String> list(String prefix) throws StorageException {
        if (!Files.isDirectory(bucket)) {
            return List.of();
        }
        Path folder =
                prefix.endsWith("/") ? path(prefix.substring(0, prefix.length() - 1)) : bucket;
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        List<String> keys = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(folder)) {
            tree.filter(Files::isRegularFile)
                    .map(file -> bucket.relativize(file).toString())
                    .filter(key -> key.startsWith(prefix))
                    .forEach(keys::add);
        } catch (IOException e) {
            throw failed("cannot be listed", e);
        }
        return List.copyOf(keys);
    }

    /** Deletes the folders too that are empty after it. */
    @Override
    public void delete(String key) throws StorageException {
        Path file = path(key);
        try {
            Files.deleteIfExists(file);
            Path folder = folderOf(file);
            while (!folder.equals(bucket) && Files.deleteIfExists(folder)) {
                folder = folderOf(folder);
            }
        } catch (DirectoryNotEmptyException _) {
            // The folder has other files.
        } catch (IOException e) {
            throw failed("cannot be deleted", e);
        }
    }

    /** An unfinished file is in the same folder as the others. */
    @Override
    public void abortUploads(String prefix) {}

    private Path path(String key) throws StorageException {
        Path path = bucket.resolve(key).normalize();
        if (!path.startsWith(bucket) || path.equals(bucket)) {
            throw new StorageException(Kind.REFUSED, "prefix", "the path leads out of the bucket");
        }
        return path;
    }

    private static Path folderOf(Path file) {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IllegalStateException("a file of a bucket has a parent folder");
        }
        return folder;
    }

    private void refuseLinks(Path folder) throws IOException {
        if (!folder.toRealPath().startsWith(bucket.toRealPath())) {
            throw new StorageException(
                    Kind.REFUSED, "prefix", "a symbolic link leads out of the bucket");
        }
    }

    private static StorageException failed(String what, IOException e) {
        if (e instanceof StorageException known) {
            return known;
        }
        // Without the path and the system's message: they reveal details of this host.
        return new StorageException(Kind.FAILED, "bucket", "the folder " + what, e);
    }

    @Override
    public void close() {}
}
