package touchline.media.store;

import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Optional;

/**
 * Bytes by key. Keys are made by the server: one to eight names joined by {@code /}, each of
 * letters, digits, {@code _}, {@code -} and {@code .} that does not begin with a dot; never a text
 * of a client. Any thread; calls block on the disk, so never on an event loop.
 */
public interface MediaStore {
    /**
     * Stores bytes under a key, all or nothing: readers see the old bytes, or all of the new ones,
     * also after a crash.
     *
     * @throws IllegalArgumentException where the key is none
     * @throws MediaStoreException where the disk fails, e.g. is full
     */
    void put(String key, ByteBuffer bytes);

    /**
     * What is stored under a key, to be read from any position; the caller closes it. A channel
     * that is open goes on when the key is deleted or replaced.
     */
    Optional<SeekableByteChannel> open(String key);

    /** All keys that begin with these whole names, sorted; everything for the empty text. */
    List<String> list(String prefix);

    /** Forgets a key; false where there was none. */
    boolean delete(String key);
}
