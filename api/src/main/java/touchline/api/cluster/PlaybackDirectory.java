package touchline.api.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.PlaybackLocations.Location;
import touchline.api.session.RemotePlaybackIds;
import touchline.media.StreamId;
import touchline.packager.audience.Audience;
import touchline.packager.audience.StreamViewers;
import touchline.packager.edge.Edge;
import touchline.packager.edge.OwnerDirectory;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.edge.UpstreamAddress;

/**
 * Which node has what viewers ask this one for. An id is looked up in the database when it is asked
 * for, and again every two seconds while it is used; a change of its stream or asset is applied at
 * once. Unknown ids are remembered for a second. While the database is away, what is known stays.
 * Any thread; {@link #tick} from one.
 */
public final class PlaybackDirectory implements RemotePlaybackIds, OwnerDirectory {
    private static final Logger log = LoggerFactory.getLogger(PlaybackDirectory.class);

    /** Prefix of a node's id; no id of a stream or asset begins so. */
    private static final String FRAMES_OF = "~frames/";

    private static final long REFRESH_NS = Duration.ofSeconds(2).toNanos();

    /** An owner that has just been looked up is not looked up again. */
    private static final long AFRESH_NS = Duration.ofMillis(100).toNanos();

    private static final long ABSENT_NS = Duration.ofSeconds(1).toNanos();

    /** A stream without an owner: its last one may still show the end of its session. */
    private static final long LINGER_NS = Duration.ofSeconds(60).toNanos();

    private static final long UNUSED_NS = Duration.ofSeconds(60).toNanos();

    /** Ids in memory; about 300 bytes each. */
    private static final int MAX_IDS = 100_000;

    private static final int MAX_ABSENT = 10_000;
    private static final int LOOKUPS_AT_ONCE = 8;
    private static final int MAX_WAITING = 4_096;

    private final Dependencies dependencies;
    private final Edge edge;
    private final ConcurrentHashMap<String, Known> ids = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Long> absentNs = new ConcurrentHashMap<>();

    /** The id by which a stream or asset was found last. */
    private final ConcurrentHashMap<String, String> idOf = new ConcurrentHashMap<>();

    private final ConcurrentHashMap<String, CompletableFuture<Optional<Known>>> lookups =
            new ConcurrentHashMap<>();
    private final Semaphore places = new Semaphore(LOOKUPS_AT_ONCE);

    /**
     * Borrowed.
     *
     * @param locations reads where an id's media is, from the database; blocks
     * @param self id of this node
     * @param playbackUrl address of a node's playback server, from memory; empty of one that has
     *     ended
     * @param audience counts viewers of streams
     * @param nanoTime a monotonic clock
     */
    public record Dependencies(
            Function<String, Optional<Location>> locations,
            String self,
            Function<String, Optional<String>> playbackUrl,
            Audience audience,
            LongSupplier nanoTime) {}

    /**
     * @param location where it is; the last known one while a stream has no owner
     * @param address of that node
     * @param atNs when it was looked up
     * @param ownedNs when it was last seen with an owner
     */
    private record Known(
            Location location,
            Optional<UpstreamAddress> address,
            Optional<StreamViewers> viewers,
            long atNs,
            long ownedNs,
            Use use) {
        boolean isAt(String node) {
            return location.node().equals(Optional.of(node));
        }
    }

    /** When an id was last used. */
    private static final class Use {
        // Volatile: any thread writes a time, one reads it.
        private volatile long atNs;

        Use(long atNs) {
            this.atNs = atNs;
        }
    }

    /**
     * @param edges makes the edge that uses this directory
     */
    public PlaybackDirectory(Dependencies dependencies, Function<OwnerDirectory, Edge> edges) {
        this.dependencies = dependencies;
        this.edge = edges.apply(this);
    }

    /** Serves what is found here. */
    public Edge edge() {
        return edge;
    }

    @Override
    public CompletionStage<Optional<Found>> find(String playbackId) {
        long now = now();
        Known known = ids.get(playbackId);
        if (known != null) {
            known.use().atNs = now;
            if (now - known.atNs() >= REFRESH_NS) {
                var _ = lookUp(playbackId);
            }
            return CompletableFuture.completedFuture(found(playbackId, known));
        }
        if (isAbsent(playbackId, now)) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return lookUp(playbackId).thenApply(looked -> looked.flatMap(it -> found(playbackId, it)));
    }

    private Optional<Found> found(String playbackId, Known known) {
        return known.isAt(dependencies.self())
                ? Optional.empty()
                : Optional.of(
                        new Found(
                                edge.media(known.location().subject(), playbackId),
                                known.location().policy(),
                                known.viewers()));
    }

    /**
     * A row that was read before now may be one of before its deletion: it is read again, unless it
     * was just read.
     */
    @Override
    public CompletionStage<Boolean> isExpected(String playbackId) {
        long now = now();
        Known known = ids.get(playbackId);
        if (known == null ? isAbsent(playbackId, now) : known.location().isStream()) {
            return CompletableFuture.completedFuture(false);
        }
        return known != null && now - known.atNs() < AFRESH_NS
                ? CompletableFuture.completedFuture(isExpected(known))
                : lookUp(playbackId).thenApply(found -> found.filter(this::isExpected).isPresent());
    }

    private boolean isExpected(Known known) {
        return known.location().isReady() && known.isAt(dependencies.self());
    }

    private boolean isAbsent(String playbackId, long now) {
        Long absent = absentNs.get(playbackId);
        return absent != null && now - absent < ABSENT_NS;
    }

    /** The evidence frames of another node, whose links are good at all nodes. */
    public RemoteMedia frames(String node) {
        return edge.media(FRAMES_OF + node, "frames");
    }

    @Override
    public CompletionStage<Optional<UpstreamAddress>> owner(String subject, boolean afresh) {
        if (subject.startsWith(FRAMES_OF)) {
            String node = subject.substring(FRAMES_OF.length());
            return CompletableFuture.supplyAsync(
                    () -> address(node),
                    work -> Thread.ofVirtual().name("node-address").start(work));
        }
        String id = idOf.get(subject);
        Known known = id == null ? null : ids.get(id);
        if (id == null || known == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (!afresh || now() - known.atNs() < AFRESH_NS) {
            return CompletableFuture.completedFuture(known.address());
        }
        // While the database is away, the last known owner is asked again.
        return lookUp(id)
                .handle(
                        (found, failure) ->
                                failure == null ? found.flatMap(Known::address) : known.address());
    }

    /** One at a time for each id. */
    private CompletableFuture<Optional<Known>> lookUp(String playbackId) {
        CompletableFuture<Optional<Known>> mine = new CompletableFuture<>();
        CompletableFuture<Optional<Known>> first = lookups.putIfAbsent(playbackId, mine);
        if (first != null) {
            return first;
        }
        if (lookups.size() > MAX_WAITING) {
            lookups.remove(playbackId, mine);
            mine.completeExceptionally(new IllegalStateException("too many unknown playback ids"));
            return mine;
        }
        Thread.ofVirtual().name("playback-id").start(() -> lookUp(playbackId, mine));
        return mine;
    }

    private void lookUp(String playbackId, CompletableFuture<Optional<Known>> then) {
        try {
            places.acquireUninterruptibly();
            Optional<Known> found;
            try {
                found = read(playbackId);
            } finally {
                places.release();
                lookups.remove(playbackId, then);
            }
            then.complete(found);
        } catch (RuntimeException | Error e) {
            log.debug("a playback id cannot be looked up", e);
            then.completeExceptionally(e);
        }
    }

    /** Blocks. */
    private Optional<Known> read(String playbackId) {
        Optional<Location> row = dependencies.locations().apply(playbackId);
        long now = now();
        Known before = ids.get(playbackId);
        Optional<Known> after = row.flatMap(it -> known(it, before, now));
        if (after.isPresent() && (before != null || ids.size() < MAX_IDS)) {
            ids.put(playbackId, after.get());
            idOf.put(after.get().location().subject(), playbackId);
        } else {
            ids.remove(playbackId);
            if (absentNs.size() < MAX_ABSENT) {
                absentNs.put(playbackId, now);
            }
        }
        if (before != null) {
            changed(before, after);
        }
        return after;
    }

    /**
     * @param before what was known; null if nothing was
     */
    private Optional<Known> known(Location row, @Nullable Known before, long now) {
        Use use = before == null ? new Use(now) : before.use();
        if (row.node().isPresent()) {
            Optional<StreamViewers> viewers =
                    row.isStream()
                            ? Optional.of(dependencies.audience().open(new StreamId(row.subject())))
                            : Optional.empty();
            return Optional.of(new Known(row, address(row.node().get()), viewers, now, now, use));
        }
        if (before == null || now - before.ownedNs() >= LINGER_NS) {
            return Optional.empty();
        }
        Location last =
                new Location(
                        row.subject(),
                        row.isStream(),
                        row.policy(),
                        before.location().node(),
                        row.isReady());
        return Optional.of(
                new Known(last, before.address(), before.viewers(), now, before.ownedNs(), use));
    }

    /** Names are looked up here, not by event loops. */
    private Optional<UpstreamAddress> address(String node) {
        return dependencies
                .playbackUrl()
                .apply(node)
                .flatMap(UpstreamAddress::of)
                .flatMap(PlaybackDirectory::resolved);
    }

    private static Optional<UpstreamAddress> resolved(UpstreamAddress named) {
        try {
            String address = InetAddress.getByName(named.host()).getHostAddress();
            return Optional.of(new UpstreamAddress(address, named.port(), named.secure()));
        } catch (UnknownHostException _) {
            log.warn("the address of a node is unknown: {}", named.host());
            return Optional.empty();
        }
    }

    private void changed(Known before, Optional<Known> after) {
        String subject = before.location().subject();
        if (after.isEmpty() || after.get().location().policy() != before.location().policy()) {
            edge.drop(subject);
        } else if (!after.get().address().equals(before.address())) {
            edge.moved(subject);
        }
    }

    /**
     * A stream or asset has changed: what it shows is looked up now. When this method returns, ids
     * that are gone show nothing. Blocks.
     *
     * @throws RuntimeException if the database is away
     */
    public void changed(String subject) {
        absentNs.clear();
        for (String id : idsOf(subject)) {
            read(id);
        }
    }

    private Set<String> idsOf(String subject) {
        return ids.entrySet().stream()
                .filter(each -> each.getValue().location().subject().equals(subject))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Removes what no viewer has used for a while. */
    public void tick() {
        long now = now();
        absentNs.values().removeIf(atNs -> now - atNs >= ABSENT_NS);
        ids.values().removeIf(each -> now - each.use().atNs >= UNUSED_NS);
        idOf.values().removeIf(id -> !ids.containsKey(id));
    }

    private long now() {
        return dependencies.nanoTime().getAsLong();
    }
}
