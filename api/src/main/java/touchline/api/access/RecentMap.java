package touchline.api.access;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What was used lately, bounded, read without a lock: two generations, of which the older is
 * dropped when the younger is full. An entry that is read in the older one moves on. Any thread.
 */
public final class RecentMap<K, V> {
    private record Generations<K, V>(ConcurrentHashMap<K, V> young, ConcurrentHashMap<K, V> old) {}

    private final int limit;
    private final AtomicReference<Generations<K, V>> now =
            new AtomicReference<>(
                    new Generations<>(new ConcurrentHashMap<>(), new ConcurrentHashMap<>()));

    /**
     * @param limit entries of a generation: at most twice as many, and what several threads put at
     *     one moment, are held
     */
    public RecentMap(int limit) {
        this.limit = limit;
    }

    public @Nullable V get(K key) {
        Generations<K, V> both = now.get();
        V young = both.young().get(key);
        if (young != null) {
            return young;
        }
        V old = both.old().get(key);
        if (old != null) {
            put(key, old);
        }
        return old;
    }

    public void put(K key, V value) {
        Generations<K, V> both = now.get();
        both.young().put(key, value);
        if (both.young().mappingCount() >= limit) {
            // The other thread has done it.
            now.compareAndSet(both, new Generations<>(new ConcurrentHashMap<>(), both.young()));
        }
    }

    /** How many entries are held, moved ones counted once for each generation. */
    long size() {
        Generations<K, V> both = now.get();
        return both.young().mappingCount() + both.old().mappingCount();
    }
}
