package touchline.api.db;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import touchline.api.db.StreamRepository.KeyOwner;
import touchline.media.StreamId;

/**
 * Stream keys that were looked up for publishers of this server, with what their streams were. They
 * are for the time in which the database does not answer. A change of a stream removes its keys, so
 * a key that was replaced, or is of a disabled or deleted stream, is never found. Any thread.
 */
public final class AdmittedKeys {
    /** A stream has three keys at most; definitions have a few KiB. */
    private static final int MOST = 4_096;

    @GuardedBy("this")
    private final Map<String, KeyOwner> owners =
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, KeyOwner> eldest) {
                    return size() > MOST;
                }
            };

    @GuardedBy("this")
    private long changes;

    /** To be read before the database is. */
    public synchronized long version() {
        return changes;
    }

    /**
     * Keeps what the database has said of a key, unless a stream has changed meanwhile.
     *
     * @param version read before
     */
    public synchronized void keep(String streamKey, KeyOwner owner, long version) {
        if (version == changes) {
            owners.put(streamKey, owner);
        }
    }

    /** The owner of a key that was admitted lately. */
    public synchronized Optional<KeyOwner> find(String streamKey) {
        return Optional.ofNullable(owners.get(streamKey));
    }

    /** A stream has changed, at this server or another one. */
    public synchronized void changed(StreamId stream) {
        changes++;
        owners.values().removeIf(owner -> owner.stream().id().equals(stream));
    }
}
