package touchline.api.db;

import touchline.api.domain.PushRole;
import touchline.media.StreamId;

/** Port: hashes and encrypts push keys for the database. Any thread. */
public interface StreamKeyVault {
    /** The hash for lookups: equal keys have equal hashes. It does not reveal the key. */
    String lookupHash(String streamKey);

    /** Encrypts a key and binds it to its stream and role. */
    String seal(String streamKey, StreamId stream, PushRole role);

    /**
     * Decrypts a key.
     *
     * @throws RuntimeException where its master key is missing, or the text was altered
     */
    String open(String sealed, StreamId stream, PushRole role);

    /** Whether it is sealed with an older master key. */
    boolean isStale(String sealed);
}
