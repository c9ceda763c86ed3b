package touchline.api.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import touchline.api.storage.ObjectStorage.FileSlice;

/**
 * Port: the bucket that holds this server's recordings. Each object carries a checksum of its
 * content (CRC-32C, in its metadata), by which {@link #fetch} refuses other bytes. Calls block
 * within their limits, and fail when they are interrupted. Any thread; the opener closes it.
 */
public interface ObjectBucket extends AutoCloseable {
    /** Stores a part of a file as an object. Replaces an existing one. */
    void put(String key, FileSlice content, String contentType) throws IOException;

    /** The same with a whole file. */
    default void put(String key, Path file, String contentType) throws IOException {
        put(key, new FileSlice(file, 0, Files.size(file)), contentType);
    }

    /**
     * Writes an object into a new file. After a failure the file is gone or incomplete.
     *
     * @return its size in bytes
     * @throws NoSuchFileException if there is no such object
     * @throws StorageException of kind DAMAGED if its content is not what was stored
     */
    long fetch(String key, Path to) throws IOException;

    /**
     * The same, of an object of known size: nothing is written of a longer one.
     *
     * @throws StorageException of kind DAMAGED if it has another size
     */
    long fetch(String key, Path to, long sizeBytes) throws IOException;

    /**
     * Visits all keys with this prefix, in any order, while they are listed.
     *
     * @param visitor receives a key, and the size of its object in bytes
     */
    void visit(String prefix, ObjLongConsumer<String> visitor) throws StorageException;

    /** All keys with this prefix, and the sizes of their objects in bytes. */
    default Map<String, Long> list(String prefix) throws StorageException {
        Map<String, Long> found = new TreeMap<>();
        visit(prefix, found::put);
        return found;
    }

    /** Deletes objects, many with one call. A missing one is no failure. */
    void delete(Collection<String> keys) throws StorageException;

    @Override
    void close();
}
