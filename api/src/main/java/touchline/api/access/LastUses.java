package touchline.api.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * When credentials were last used. A use is noted in memory, and {@link #write} stores all of them
 * together, so no request waits for the database. Holds one time for each credential used since the
 * last write. Any thread.
 */
final class LastUses {
    /** Uses within this time are one. */
    private static final Duration PRECISION = Duration.ofSeconds(1);

    private final ConcurrentHashMap<String, Instant> unwritten = new ConcurrentHashMap<>();
    private final Consumer<Map<String, Instant>> store;
    private final InstantSource clock;

    /**
     * @param store writes times by the id of the credential; blocks
     */
    LastUses(Consumer<Map<String, Instant>> store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The credential was accepted now. Does not block. */
    void note(String id) {
        Instant now = clock.instant();
        Instant known = unwritten.get(id);
        if (known == null || known.plus(PRECISION).isBefore(now)) {
            unwritten.put(id, now);
        }
    }

    /** The last use of a credential: the one in memory, else the stored one. */
    Optional<Instant> of(String id, Optional<Instant> stored) {
        return Optional.ofNullable(unwritten.get(id)).or(() -> stored);
    }

    /** Stores what is new; after a failure the next call tries again. Blocks. */
    void write() {
        Map<String, Instant> times = Map.copyOf(unwritten);
        if (!times.isEmpty()) {
            store.accept(times);
            times.forEach(unwritten::remove);
        }
    }
}
