package touchline.api.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.ClusterChanges;
import touchline.api.db.ClusterChanges.Kind;

/**
 * Applies the changes that other nodes have made, each once. They arrive with a call of the node
 * that has made them, before it answers its client; what is missed is read from the table within a
 * second or two. One that fails is applied again at the next poll, for half a minute. Any thread;
 * {@link #tick} is called by one.
 */
public final class ChangeFeed {
    private static final Logger log = LoggerFactory.getLogger(ChangeFeed.class);

    /** Polls between two deletions of old rows. */
    private static final int PURGE_EVERY = 300;

    /** For longer than a row is read. */
    private static final long KEPT_NS = Duration.ofMinutes(2).toNanos();

    private final ClusterChanges changes;

    /** A poll that is this late may miss rows: they have an age when they are committed. */
    private static final long COMPLETE_NS =
            Duration.ofMillis(ClusterChanges.LOOK_BACK_MS).minusSeconds(5).toNanos();

    private final LongSupplier nanoTime;
    private final Map<Kind, List<Consumer<String>>> followers = new EnumMap<>(Kind.class);

    private final ConcurrentHashMap<Long, Application> applied = new ConcurrentHashMap<>();

    private final List<Runnable> gapFollowers = new ArrayList<>();

    private int polls;

    /** When the newest poll began that was answered. */
    private long readNs;

    /**
     * A row that is applied, or about to be.
     *
     * @param done false if it failed
     */
    private record Application(long atNs, CompletableFuture<Boolean> done) {}

    /**
     * Changes from before this call are not applied: call it before anything is loaded.
     *
     * @param nanoTime a monotonic clock
     */
    public ChangeFeed(ClusterChanges changes, LongSupplier nanoTime) {
        this.changes = changes;
        this.nanoTime = nanoTime;
        this.readNs = nanoTime.getAsLong();
        changes.recent()
                .forEach(
                        row ->
                                applied.put(
                                        row.id(),
                                        new Application(
                                                nanoTime.getAsLong(),
                                                CompletableFuture.completedFuture(true))));
    }

    /**
     * Calls the follower with the subject of each change of a kind, in the order of these calls.
     * Called before the first change arrives.
     *
     * @param follower may block; any thread
     */
    public void follow(Kind kind, Consumer<String> follower) {
        followers.computeIfAbsent(kind, _ -> new ArrayList<>()).add(follower);
    }

    /**
     * Calls the follower when the table was not read for so long that changes may be missing.
     *
     * @param follower does not block; called before the changes that are not missing
     */
    public void followGaps(Runnable follower) {
        gapFollowers.add(follower);
    }

    /** Reads the table. */
    public void tick() {
        long beganNs = nanoTime.getAsLong();
        List<ClusterChanges.Row> recent = changes.recent();
        if (beganNs - readNs > COMPLETE_NS) {
            gapFollowers.forEach(Runnable::run);
        }
        readNs = beganNs;
        recent.forEach(this::apply);
        long nowNs = nanoTime.getAsLong();
        applied.values().removeIf(it -> nowNs - it.atNs() > KEPT_NS);
        if (++polls % PURGE_EVERY == 0) {
            changes.purge();
        }
    }

    /**
     * Applies a change once: returns when that is done, by this thread or another one.
     *
     * @return false if it failed
     */
    public boolean apply(ClusterChanges.Row row) {
        Application mine = new Application(nanoTime.getAsLong(), new CompletableFuture<>());
        Application before = applied.putIfAbsent(row.id(), mine);
        if (before != null) {
            return before.done().join();
        }
        boolean done = false;
        try {
            done = isFollowed(row);
        } finally {
            if (!done) {
                applied.remove(row.id());
            }
            mine.done().complete(done);
        }
        return done;
    }

    private boolean isFollowed(ClusterChanges.Row row) {
        try {
            followers.getOrDefault(row.kind(), List.of()).forEach(it -> it.accept(row.subject()));
            return true;
        } catch (RuntimeException e) {
            log.warn(
                    "a change of another node is not applied ({} {}), will be tried again: {}",
                    row.kind(),
                    row.subject(),
                    e.getMessage());
            return false;
        }
    }
}
