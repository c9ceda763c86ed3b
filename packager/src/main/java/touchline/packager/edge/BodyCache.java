package touchline.packager.edge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers of other nodes, up to a number of bytes: the ones that were not used for longest leave
 * first. The newest one stays in any case, so that the requests that waited for it find it. Any
 * thread.
 */
final class BodyCache {
    /** Of an entry, its key and its headers. */
    private static final long OVERHEAD_BYTES = 1024;

    private final long maxBytes;
    private final LongSupplier nanoTime;
    private final EdgeCounters counters;

    @GuardedBy("entries")
    private final Map<Key, Entry> entries = new LinkedHashMap<>(64, 0.75f, /* accessOrder= */ true);

    @GuardedBy("entries")
    private long usedBytes;

    /**
     * Name of an answer.
     *
     * @param subject id of the stream or asset
     * @param name of the rest
     */
    record Key(String subject, String name) {}

    private static final class Entry {
        private final UpstreamAnswer answer;
        private final long untilNs;
        private long usedNs;

        Entry(UpstreamAnswer answer, long untilNs, long usedNs) {
            this.answer = answer;
            this.untilNs = untilNs;
            this.usedNs = usedNs;
        }

        long bytes() {
            return OVERHEAD_BYTES + answer.body().sizeBytes();
        }
    }

    BodyCache(long maxBytes, LongSupplier nanoTime, EdgeCounters counters) {
        this.maxBytes = maxBytes;
        this.nanoTime = nanoTime;
        this.counters = counters;
    }

    /** With a reference for the caller; empty where it is not there, or too old. */
    Optional<UpstreamAnswer> get(Key key) {
        return get(key, /* old= */ false);
    }

    /** The same for those that have waited for it: they may be many, and the last one late. */
    Optional<UpstreamAnswer> getNewest(Key key) {
        return get(key, /* old= */ true);
    }

    private Optional<UpstreamAnswer> get(Key key, boolean old) {
        long now = nanoTime.getAsLong();
        synchronized (entries) {
            Entry entry = entries.get(key);
            if (entry == null || (!old && entry.untilNs - now <= 0)) {
                return Optional.empty();
            }
            entry.usedNs = now;
            counters.hit();
            return Optional.of(entry.answer.retain());
        }
    }

    /**
     * Adds an answer, or replaces it. The caller keeps its reference.
     *
     * @param forNs how long it is good
     */
    void put(Key key, UpstreamAnswer answer, long forNs) {
        long now = nanoTime.getAsLong();
        List<Entry> gone = new ArrayList<>();
        synchronized (entries) {
            Entry added = new Entry(answer.retain(), now + forNs, now);
            @Nullable Entry before = entries.put(key, added);
            usedBytes += added.bytes();
            if (before != null) {
                usedBytes -= before.bytes();
                gone.add(before);
            }
            Iterator<Entry> oldest = entries.values().iterator();
            while (usedBytes > maxBytes && entries.size() > 1) {
                Entry next = oldest.next();
                oldest.remove();
                usedBytes -= next.bytes();
                gone.add(next);
            }
        }
        gone.forEach(entry -> entry.answer.release());
    }

    /** Removes all of a stream or asset. */
    void drop(String subject) {
        removeIf((key, _) -> key.subject().equals(subject));
    }

    /** Removes what was not used for this long. */
    void sweep(long unusedNs) {
        long now = nanoTime.getAsLong();
        removeIf((_, entry) -> now - entry.usedNs >= unusedNs);
    }

    /** Removes everything. */
    void clear() {
        removeIf((_, _) -> true);
    }

    /** Which entries. */
    @FunctionalInterface
    private interface Condition {
        boolean of(Key key, Entry entry);
    }

    private void removeIf(Condition condition) {
        List<Entry> gone = new ArrayList<>();
        synchronized (entries) {
            Iterator<Map.Entry<Key, Entry>> all = entries.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<Key, Entry> each = all.next();
                if (condition.of(each.getKey(), each.getValue())) {
                    all.remove();
                    usedBytes -= each.getValue().bytes();
                    gone.add(each.getValue());
                }
            }
        }
        gone.forEach(entry -> entry.answer.release());
    }

    /** Bytes in use. */
    long usedBytes() {
        synchronized (entries) {
            return usedBytes;
        }
    }
}
