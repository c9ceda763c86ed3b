package touchline.packager.edge;

import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.media.SessionId;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaUnreachableException;

/**
 * A stream or asset of another node, as this node serves it: one request to its owner for each
 * thing that viewers want, however many they are. Any thread; stages are completed on an event
 * loop.
 */
public final class RemoteMedia {
    /** What changes is asked for again after this time, as by any cache ({@code max-age=1}). */
    static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);

    /** Media never changes. */
    private static final long FOR_EVER_NS = TimeUnit.DAYS.toNanos(365);

    /** Different requests of one stream at its owner; viewers of a live stream cause a few. */
    private static final int MAX_FLIGHTS = 256;

    /** Sessions and renditions; others are refused until some of these are not used any more. */
    private static final int MAX_PLAYBACKS = 256;

    private static final int OK = 200;

    private final Edge edge;
    private final String subject;
    private final ConcurrentHashMap<String, RemotePlayback> playbacks = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, CompletableFuture<Boolean>> flights =
            new ConcurrentHashMap<>();
    private final Set<UpstreamCall> calls = ConcurrentHashMap.newKeySet();

    /** One that its owner knows: the one that was used last. */
    private volatile String playbackId;

    private volatile boolean dropped;
    private volatile long usedNs;

    /**
     * @param subject id of the stream or asset
     */
    RemoteMedia(Edge edge, String subject, String playbackId) {
        this.edge = edge;
        this.subject = subject;
        this.playbackId = playbackId;
        usedNs = edge.nanoTime();
    }

    /** A viewer uses this playback id. */
    RemoteMedia usedBy(String id) {
        if (!id.equals(playbackId)) {
            playbackId = id;
        }
        usedNs = edge.nanoTime();
        return this;
    }

    /** Id of the stream or asset. */
    public String subject() {
        return subject;
    }

    /**
     * A session, by its name in addresses. Whether its owner has it, only a request shows.
     *
     * @throws MediaUnreachableException if there are too many others
     */
    public LivePlayback session(String name) {
        return playback(new SessionId(name), name);
    }

    /**
     * A session or rendition.
     *
     * @param path its elements in addresses
     */
    RemotePlayback playback(SessionId session, String path) {
        RemotePlayback known = playbacks.get(path);
        if (known != null) {
            known.touch();
            return known;
        }
        if (playbacks.size() >= MAX_PLAYBACKS) {
            throw new MediaUnreachableException("too many sessions of one stream");
        }
        return playbacks.computeIfAbsent(path, _ -> new RemotePlayback(this, session, path));
    }

    /** The owner has no such session or rendition. */
    void absent(RemotePlayback playback) {
        if (playbacks.remove(playback.path(), playback)) {
            playback.close();
        }
    }

    /**
     * The multivariant playlist; empty where the owner shows none. Fails with {@link
     * MediaUnreachableException}.
     *
     * @param prefix of child URIs at this node
     * @param dvr from the session's start
     */
    public CompletionStage<Optional<String>> multivariant(String prefix, boolean dvr) {
        String id = playbackId;
        String target = '/' + id + ".m3u8" + (dvr ? "?dvr=1" : "");
        return answer(target, UpstreamRequest.of(target))
                .thenApply(found -> found.map(answer -> text(answer).replace(id + '/', prefix)));
    }

    /** Takes over the reference. */
    private static String text(UpstreamAnswer answer) {
        try {
            return StandardCharsets.UTF_8.decode(answer.body().bytes()).toString();
        } finally {
            answer.release();
        }
    }

    /**
     * The owner's answer as it is, a second old at most. The caller releases it; empty if it was
     * dropped here meanwhile. Fails with {@link MediaUnreachableException}.
     *
     * @param name below the playback id, with its query, e.g. {@code thumbnail.jpg?time=3}
     * @param gzip whether a compressed text is wanted
     */
    public CompletionStage<Optional<UpstreamAnswer>> answer(String name, boolean gzip) {
        String target = below(name);
        return answer(target + (gzip ? "#gzip" : ""), UpstreamRequest.passedOn(target, gzip));
    }

    /**
     * Size and entity tag of a file: the owner's answer to a request for its first byte.
     *
     * @param name below the playback id
     */
    public CompletionStage<Optional<UpstreamAnswer>> fileHead(String name) {
        String target = below(name);
        return answer(
                target + "#head", UpstreamRequest.passedOn(target, /* gzip= */ false).bytes(0, 0));
    }

    /**
     * Bytes of a file; not kept. The caller releases the answer; empty where the owner does not
     * have the file any more.
     */
    public CompletionStage<Optional<UpstreamAnswer>> fileBytes(String name, long first, long last) {
        return Fetch.start(this, UpstreamRequest.of(below(name)).bytes(first, last));
    }

    private CompletionStage<Optional<UpstreamAnswer>> answer(String name, UpstreamRequest request) {
        BodyCache.Key key = new BodyCache.Key(subject, name);
        Optional<UpstreamAnswer> kept = edge.cache().get(key);
        return kept.isPresent()
                ? CompletableFuture.completedFuture(kept)
                : join(
                                name,
                                () ->
                                        Fetch.start(this, request)
                                                .thenApply(
                                                        got ->
                                                                keep(
                                                                        key,
                                                                        usable(request, got),
                                                                        FRESH_NS)))
                        .thenApply(found -> found ? brought(key) : Optional.empty());
    }

    private Optional<UpstreamAnswer> brought(BodyCache.Key key) {
        Optional<UpstreamAnswer> newest = edge.cache().getNewest(key);
        if (newest.isEmpty()) {
            throw new MediaUnreachableException("no memory for the answer");
        }
        return newest;
    }

    /** A segment, part or init segment that is here; with a reference for the caller. */
    Optional<UpstreamAnswer> kept(String name) {
        return edge.cache().get(new BodyCache.Key(subject, name));
    }

    /**
     * Brings it here; then {@link #kept} has it. False where the owner does not have it.
     *
     * @param name below the playback id
     * @param held it is a part that may have been announced
     */
    CompletionStage<Boolean> bring(String name, boolean held) {
        return join(
                name,
                () -> {
                    String target = below(name);
                    UpstreamRequest request =
                            held ? UpstreamRequest.held(target) : UpstreamRequest.of(target);
                    return Fetch.start(this, request)
                            .thenApply(
                                    got ->
                                            keep(
                                                    new BodyCache.Key(subject, name),
                                                    got.filter(this::isWhole),
                                                    FOR_EVER_NS));
                });
    }

    private Optional<UpstreamAnswer> usable(UpstreamRequest request, Optional<UpstreamAnswer> got) {
        return request.isFinal() ? got : got.filter(this::isWhole);
    }

    private boolean isWhole(UpstreamAnswer answer) {
        if (answer.status() == OK) {
            return true;
        }
        answer.release();
        return false;
    }

    /** Takes over the reference. */
    private boolean keep(BodyCache.Key key, Optional<UpstreamAnswer> got, long forNs) {
        if (got.isEmpty()) {
            return false;
        }
        UpstreamAnswer answer = got.get();
        edge.counters().received(answer.body().sizeBytes());
        edge.cache().put(key, answer, forNs);
        answer.release();
        if (dropped) {
            edge.cache().drop(subject);
            return false;
        }
        return true;
    }

    /**
     * Lets all requests for the same wait for one answer.
     *
     * @param start begins the work of the first of them
     */
    CompletionStage<Boolean> join(String name, Supplier<CompletionStage<Boolean>> start) {
        usedNs = edge.nanoTime();
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> first = flights.putIfAbsent(name, mine);
        if (first != null) {
            edge.counters().joined();
            return first;
        }
        if (flights.size() > MAX_FLIGHTS) {
            flights.remove(name, mine);
            mine.completeExceptionally(new MediaUnreachableException("too many requests"));
            return mine;
        }
        try {
            start.get().whenComplete((there, failure) -> landed(name, mine, there, failure));
        } catch (RuntimeException e) {
            landed(name, mine, null, e);
        }
        return mine;
    }

    private void landed(
            String name,
            CompletableFuture<Boolean> flight,
            @Nullable Boolean there,
            @Nullable Throwable failure) {
        flights.remove(name, flight);
        if (failure == null) {
            flight.complete(there != null && there);
        } else {
            flight.completeExceptionally(failure.getCause() == null ? failure : failure.getCause());
        }
    }

    /** Path of something below the playback id. */
    String below(String name) {
        return '/' + playbackId + '/' + name;
    }

    UpstreamCall call(UpstreamAddress address, UpstreamRequest request) {
        UpstreamCall call = edge.client().get(affinity(), address, request);
        calls.add(call);
        if (dropped) {
            call.cancel();
        }
        return call;
    }

    void over(UpstreamCall call) {
        calls.remove(call);
    }

    CompletionStage<Optional<UpstreamAddress>> owner(boolean afresh) {
        return edge.directory().owner(subject, afresh);
    }

    /** Its requests run here. */
    EventExecutor executor() {
        return edge.client().executor(affinity());
    }

    private int affinity() {
        return subject.hashCode();
    }

    Edge edge() {
        return edge;
    }

    EdgeCounters counters() {
        return edge.counters();
    }

    long nanoTime() {
        return edge.nanoTime();
    }

    boolean isDropped() {
        return dropped;
    }

    /** Its owner has changed: what is under way is asked of the new one. */
    void moved() {
        calls.forEach(UpstreamCall::cancel);
    }

    /** It is shown no more: waiting requests are answered. */
    void drop() {
        dropped = true;
        calls.forEach(UpstreamCall::cancel);
        playbacks.values().forEach(RemotePlayback::close);
        playbacks.clear();
    }

    /**
     * Removes what was not used for a while.
     *
     * @return whether nothing of it was
     */
    boolean sweep(long unusedNs) {
        long now = edge.nanoTime();
        playbacks
                .values()
                .forEach(
                        each -> {
                            if (each.unusedNs(now) >= unusedNs) {
                                absent(each);
                            }
                        });
        return playbacks.isEmpty() && flights.isEmpty() && now - usedNs >= unusedNs;
    }
}
