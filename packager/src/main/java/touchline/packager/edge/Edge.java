package touchline.packager.edge;

import io.netty.channel.EventLoopGroup;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.MediaMemory;

/**
 * Serves what other nodes have. Started and closed by the playback server, on its event loops. Any
 * thread.
 */
public final class Edge implements AutoCloseable {
    private static final long SWEEP_SECONDS = 5;

    /** What no viewer has used for this long is forgotten. */
    private static final long UNUSED_NS = TimeUnit.SECONDS.toNanos(60);

    private final Dependencies dependencies;
    private final EdgeCounters counters = new EdgeCounters();
    private final BodyCache cache;
    private final UpstreamClient client;
    private final ConcurrentHashMap<String, RemoteMedia> media = new ConcurrentHashMap<>();

    /**
     * What it needs; borrowed.
     *
     * @param memory of bodies and playlists
     * @param tls how nodes with HTTPS are known
     * @param cacheBytes of bodies, at most; playlists come on top
     * @param nanoTime a monotonic clock
     */
    public record Dependencies(
            OwnerDirectory directory,
            NodeSigner signer,
            MediaMemory memory,
            Optional<UpstreamTls> tls,
            long cacheBytes,
            LongSupplier nanoTime) {}

    public Edge(Dependencies dependencies) {
        this.dependencies = dependencies;
        cache = new BodyCache(dependencies.cacheBytes(), dependencies.nanoTime(), counters);
        client =
                new UpstreamClient(
                        dependencies.signer(), dependencies.memory(), dependencies.tls(), counters);
    }

    /** Uses these event loops from now on; the caller ends them. */
    public void start(EventLoopGroup loops) {
        client.start(loops);
        var _ =
                loops.next()
                        .scheduleWithFixedDelay(
                                this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * A stream or asset of another node.
     *
     * @param subject its id
     * @param playbackId an id of it that this node has found, and its owner knows
     */
    public RemoteMedia media(String subject, String playbackId) {
        RemoteMedia known = media.get(subject);
        return (known == null ? made(subject, playbackId) : known).usedBy(playbackId);
    }

    private RemoteMedia made(String subject, String playbackId) {
        return media.computeIfAbsent(subject, _ -> new RemoteMedia(this, subject, playbackId));
    }

    /**
     * A stream or asset is shown no more, or other ids show it: held requests are answered with
     * 404, and its media is removed when this method returns.
     */
    public void drop(String subject) {
        @Nullable RemoteMedia gone = media.remove(subject);
        if (gone != null) {
            gone.drop();
        }
        cache.drop(subject);
    }

    /** The owner of a stream has changed: held requests go to the new one. */
    public void moved(String subject) {
        @Nullable RemoteMedia known = media.get(subject);
        if (known != null) {
            known.moved();
        }
    }

    public EdgeCounters counters() {
        return counters;
    }

    /** Bytes of bodies that are kept. */
    public long cachedBytes() {
        return cache.usedBytes();
    }

    /** Streams and assets that viewers of this node have used lately. */
    public int followed() {
        return media.size();
    }

    private void sweep() {
        cache.sweep(UNUSED_NS);
        for (String subject : media.keySet()) {
            media.computeIfPresent(subject, (_, each) -> swept(each));
        }
    }

    private static @Nullable RemoteMedia swept(RemoteMedia each) {
        if (!each.sweep(UNUSED_NS)) {
            return each;
        }
        each.drop();
        return null;
    }

    OwnerDirectory directory() {
        return dependencies.directory();
    }

    MediaMemory memory() {
        return dependencies.memory();
    }

    BodyCache cache() {
        return cache;
    }

    UpstreamClient client() {
        return client;
    }

    long nanoTime() {
        return dependencies.nanoTime().getAsLong();
    }

    /** Answers what waits, and frees all memory. Before the event loops end. */
    @Override
    public void close() {
        for (String subject : media.keySet()) {
            drop(subject);
        }
        cache.clear();
        client.close();
    }
}
