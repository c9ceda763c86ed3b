package touchline.api.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.ActiveStream;
import touchline.api.db.ActiveStreamRows;
import touchline.api.db.ClusterChanges;
import touchline.api.db.ClusterChanges.Kind;
import touchline.api.domain.PublishTerms;
import touchline.media.StreamId;

/**
 * The active streams of all nodes in memory: their owners, and the hashes of their push keys. They
 * are for the time in which the database does not answer: any node then finds the owner of an
 * encoder of a running session.
 *
 * <p>A change removes a stream at once, and the next {@link #tick} reads it again. What is read
 * while a stream changes is not kept, so a key that was replaced, or is of a stream that has been
 * disabled or deleted, is not found. Any thread; {@link #tick} from one.
 */
public final class ActiveStreams {
    private static final Logger log = LoggerFactory.getLogger(ActiveStreams.class);

    /** Streams in memory: about 1 KiB each, with three keys. */
    static final int MOST = 10_000;

    /** What is said here of a stream may be different after one of these. */
    private static final Set<Kind> KINDS =
            EnumSet.of(Kind.STREAM, Kind.STREAM_KEY, Kind.BACKUP_KEY, Kind.COMPLETED, Kind.OWNER);

    private final ActiveStreamRows rows;
    private final UnaryOperator<String> hash;

    @GuardedBy("this")
    private final Map<StreamId, ActiveStream> streams = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, PublishTerms> keys = new HashMap<>();

    /** Streams that are to be read. */
    @GuardedBy("this")
    private final Set<StreamId> changed = new HashSet<>();

    /** All are to be read. */
    @GuardedBy("this")
    private boolean isUnknown = true;

    /** Rises when {@link #changed} no longer has all that has changed. */
    @GuardedBy("this")
    private long resets;

    /**
     * What one reading is about.
     *
     * @param all all streams, not only these
     */
    private record Reading(boolean all, Set<StreamId> streams, long resets) {}

    /**
     * @param hash of a push key, as the database has it
     */
    public ActiveStreams(ActiveStreamRows rows, UnaryOperator<String> hash) {
        this.rows = rows;
        this.hash = hash;
    }

    /**
     * Receives the changes of all nodes from now on. Called once, before the first {@link #tick}.
     *
     * @param feed changes of other nodes, and of owners
     * @param here changes of this node
     */
    public void follow(ChangeFeed feed, ClusterChanges here) {
        KINDS.forEach(kind -> feed.follow(kind, id -> changed(new StreamId(id))));
        feed.followGaps(this::reset);
        here.listen(
                (kind, subject) -> {
                    if (KINDS.contains(kind)) {
                        changed(new StreamId(subject));
                    }
                });
    }

    /** What a push key of an active stream publishes. Does not block. */
    public Optional<PublishTerms> find(String streamKey) {
        String hashed = hash.apply(streamKey);
        synchronized (this) {
            return Optional.ofNullable(keys.get(hashed));
        }
    }

    /** An active stream with its owner. Does not block. */
    public synchronized Optional<ActiveStream> find(StreamId stream) {
        return Optional.ofNullable(streams.get(stream));
    }

    /** How many are in memory. */
    public synchronized int count() {
        return streams.size();
    }

    /** A stream, its keys or its owner have changed, at this node or another one. */
    public synchronized void changed(StreamId stream) {
        remove(stream);
        changed.add(stream);
        if (changed.size() > MOST) {
            reset();
        }
    }

    /** Changes of other nodes may be missing: nothing is known until the next {@link #tick}. */
    public synchronized void reset() {
        streams.clear();
        keys.clear();
        changed.clear();
        isUnknown = true;
        resets++;
    }

    /**
     * Reads what has changed; blocks.
     *
     * @throws RuntimeException if the database is away: the next call tries again
     */
    public void tick() {
        Reading reading = begin();
        if (!reading.all() && reading.streams().isEmpty()) {
            return;
        }
        boolean done = false;
        try {
            finish(reading, reading.all() ? rows.all(MOST) : rows.of(reading.streams()));
            done = true;
        } finally {
            if (!done) {
                undo(reading);
            }
        }
    }

    private synchronized Reading begin() {
        Reading reading = new Reading(isUnknown, Set.copyOf(changed), resets);
        isUnknown = false;
        changed.clear();
        return reading;
    }

    private synchronized void undo(Reading reading) {
        isUnknown |= reading.all();
        changed.addAll(reading.streams());
    }

    private synchronized void finish(Reading reading, List<ActiveStream> read) {
        if (reading.resets() != resets) {
            return;
        }
        for (ActiveStream each : read) {
            // One that has changed meanwhile is read again.
            if (!changed.contains(each.id())) {
                put(each);
            }
        }
        if (reading.all()) {
            log.debug("cluster: {} active streams", streams.size());
        }
    }

    @GuardedBy("this")
    private void put(ActiveStream stream) {
        remove(stream.id());
        if (streams.size() < MOST) {
            streams.put(stream.id(), stream);
            keys.putAll(stream.keys());
        }
    }

    @GuardedBy("this")
    private void remove(StreamId stream) {
        ActiveStream before = streams.remove(stream);
        if (before != null) {
            keys.keySet().removeAll(before.keys().keySet());
        }
    }
}
