package touchline.api.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Port: one bucket of a client's store. Only this server makes keys; their parts are separated by
 * slashes. Calls block within their limits. An interrupt makes them fail. Any thread; the opener
 * closes it.
 */
public interface ObjectStorage extends AutoCloseable {
    /**
     * A range of a local file.
     *
     * @param offsetBytes of its first byte
     */
    record FileSlice(Path file, long offsetBytes, long sizeBytes) {}

    /** Stores a whole object. Replaces an existing one. */
    void put(String key, FileSlice content, String contentType) throws StorageException;

    /** The largest object for one call. Larger ones are uploaded in parts. */
    long maxPutBytes();

    /** Begins a multipart object. It exists after {@link Parts#complete}. */
    Parts begin(String key, String contentType) throws StorageException;

    /** A multipart object. Several threads may put parts. */
    interface Parts {
        /**
         * @param number from 1
         */
        void put(int number, FileSlice content) throws StorageException;

        void complete() throws StorageException;

        /** Deletes the parts. */
        void abort() throws StorageException;
    }

    /**
     * Reads an object back.
     *
     * @throws IOException of the target, or a {@link StorageException}
     */
    void read(String key, OutputStream to) throws IOException;

    /** The keys with this prefix, some thousands at most. */
    List<String> list(String prefix) throws StorageException;

    /** Deletes an object. A missing one is no failure. */
    void delete(String key) throws StorageException;

    /** Aborts unfinished multipart objects under this prefix. */
    void abortUploads(String prefix) throws StorageException;

    @Override
    void close();
}
