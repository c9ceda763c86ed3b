package touchline.media.store;

import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Optional;

/**
 * Bytes by key. Keys are made by the server: one to eight names joined by {@code /}, each of
 * letters, digits, {@code _}, {@code -} and {@code .}, not beginning with a dot. A key never
 * contains client input. Any thread; calls block on the disk, so never on an event loop.
 */
public interface MediaStore {
    /**
     * Stores bytes under a key, all or nothing: readers see the old bytes, or all of the new ones,
     * also after a crash.
     *
     * @throws IllegalArgumentException if the key is invalid
     * @throws MediaStoreException if the disk fails, e.g. is full
     */
    void put(String key, ByteBuffer bytes);

    /**
     * Opens the bytes of a key for random access; the caller closes the channel. An open channel
     * stays readable after the key is deleted or replaced.
     */
    Optional<SeekableByteChannel> open(String key);

    /** Returns all keys that begin with these whole names, sorted; all keys for the empty text. */
    List<String> list(String prefix);

    /** Deletes a key; false if it does not exist. */
    boolean delete(String key);
}
