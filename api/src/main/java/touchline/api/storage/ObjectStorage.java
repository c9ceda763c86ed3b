package touchline.api.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Port: one bucket of a client's store. Keys have parts between slashes, and come from this server
 * alone. Calls block, for as long as the store takes within its limits; an interrupt ends them as a
 * failure. Any thread; whoever opened it closes it.
 */
public interface ObjectStorage extends AutoCloseable {
    /**
     * A stretch of a local file.
     *
     * @param offsetBytes of its first byte
     */
    record FileSlice(Path file, long offsetBytes, long sizeBytes) {}

    /** Stores a whole object, in place of one that is there. */
    void put(String key, FileSlice content, String contentType) throws StorageException;

    /** How much may be put at once; what is larger goes up in parts. */
    long maxPutBytes();

    /**
     * Begins an object that is put together from parts; it is not there before {@link
     * Parts#complete}.
     */
    Parts begin(String key, String contentType) throws StorageException;

    /** An object that is being put together. Parts may be put by several threads. */
    interface Parts {
        /**
         * @param number from 1
         */
        void put(int number, FileSlice content) throws StorageException;

        void complete() throws StorageException;

        /** Forgets what was put. */
        void abort() throws StorageException;
    }

    /**
     * Reads an object back.
     *
     * @throws IOException of the receiving side, or a {@link StorageException}
     */
    void read(String key, OutputStream to) throws IOException;

    /** The keys that begin so, some thousands at most. */
    List<String> list(String prefix) throws StorageException;

    /** Removes an object; one that is not there is no failure. */
    void delete(String key) throws StorageException;

    /** Forgets objects under this prefix that were begun and never completed. */
    void abortUploads(String prefix) throws StorageException;

    @Override
    void close();
}
