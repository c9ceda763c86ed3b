package touchline.api.db;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import touchline.api.domain.PublishTerms;
import touchline.media.StreamId;

/**
 * Stream keys that were looked up for publishers of this server, by their hashes, with what they
 * publish. They are for the time in which the database does not answer. A change of a stream
 * removes its keys, so a key that was replaced, or is of a disabled or deleted stream, is never
 * found. Any thread.
 */
public final class AdmittedKeys {
    /** A stream has three keys at most. */
    private static final int MOST = 4_096;

    private final UnaryOperator<String> hash;

    @GuardedBy("this")
    private final Map<String, PublishTerms> terms =
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, PublishTerms> eldest) {
                    return size() > MOST;
                }
            };

    @GuardedBy("this")
    private long changes;

    /**
     * @param hash of a key: equal keys have equal hashes, which do not reveal them
     */
    public AdmittedKeys(UnaryOperator<String> hash) {
        this.hash = hash;
    }

    /** To be read before the database is. */
    public synchronized long version() {
        return changes;
    }

    /**
     * Keeps what the database has said of a key, unless a stream has changed meanwhile.
     *
     * @param version read before
     */
    public void keep(String streamKey, PublishTerms owner, long version) {
        String hashed = hash.apply(streamKey);
        synchronized (this) {
            if (version == changes) {
                terms.put(hashed, owner);
            }
        }
    }

    /** What a key publishes that was admitted lately. */
    public Optional<PublishTerms> find(String streamKey) {
        String hashed = hash.apply(streamKey);
        synchronized (this) {
            return Optional.ofNullable(terms.get(hashed));
        }
    }

    /** A stream has changed, at this server or another one. */
    public synchronized void changed(StreamId stream) {
        changes++;
        terms.values().removeIf(each -> each.stream().equals(stream));
    }

    /** Streams may have changed at other servers without this one. */
    public synchronized void clear() {
        changes++;
        terms.clear();
    }
}
