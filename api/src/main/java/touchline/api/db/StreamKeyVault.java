package touchline.api.db;

import touchline.media.StreamId;
import touchline.media.hub.Role;

/** Port: how push keys lie in the database. Any thread. */
public interface StreamKeyVault {
    /** The key as it is looked up: the same text for the same key, the key cannot be had back. */
    String lookupHash(String streamKey);

    /** The key encrypted, bound to its place: it opens nowhere else. */
    String seal(String streamKey, StreamId stream, Role role);

    /**
     * The key that was sealed.
     *
     * @throws RuntimeException when it was sealed under a master key that is not there, or altered
     */
    String open(String sealed, StreamId stream, Role role);

    /** Whether it was sealed under an older master key than the current one. */
    boolean isStale(String sealed);
}
