package touchline.api.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import touchline.api.access.ViewerAccess;
import touchline.api.asset.AssetPlayback;
import touchline.api.asset.AssetPlaybackIds;
import touchline.api.asset.Chapters;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.packager.audience.Audience;
import touchline.packager.audience.StreamViewers;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.PlaybackAccess;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.hls.LivePlayback;
import touchline.packager.thumbnail.Thumbnails;

/**
 * Maps each playback id to its media, in memory: a request costs one look-up. Any thread; the next
 * request sees a change.
 */
public final class PlaybackResolver implements PlaybackAccess {
    /**
     * What a stream shows.
     *
     * @param sessions newest first, with recently ended ones
     * @param running the newest one has not ended
     * @param viewers counts its viewers
     */
    private record Shown(
            List<LivePlayback> sessions, boolean running, Optional<StreamViewers> viewers) {
        private Shown {
            sessions = List.copyOf(sessions);
        }

        Shown with(List<LivePlayback> left, boolean isRunning) {
            return new Shown(left, isRunning, viewers);
        }
    }

    private static final PlaybackDecision NOT_LOOKED_UP =
            new PlaybackDecision.Refused(
                    503, 50301, "the playback id cannot be looked up now", OptionalInt.of(1));

    private static final PlaybackDecision NOT_OPEN_YET =
            new PlaybackDecision.Refused(
                    503, 50301, "the asset is being opened at this server", OptionalInt.of(1));

    private record Entry(StreamId stream, PlaybackPolicy policy) {}

    /** Held by every change, for a short time: event loops wait for it. */
    private final ReentrantLock changing = new ReentrantLock();

    /** Held while ids are read from the database and applied. */
    private final ReentrantLock identifying = new ReentrantLock();

    private final ViewerAccess viewers;
    private final AssetPlaybackIds assetIds;
    private final AssetPlayback assets;
    private final Chapters chapters;
    private final Audience audience;
    private final Function<FrameRequest, CompletionStage<FrameDecision>> evidence;
    private final RemotePlaybackIds others;
    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<StreamId, Shown> shown = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<SessionId, LivePlayback> windows = new ConcurrentHashMap<>();

    /** Of a server without a cluster. */
    public PlaybackResolver(
            ViewerAccess viewers,
            AssetPlaybackIds assets,
            Chapters chapters,
            Audience audience,
            Function<FrameRequest, CompletionStage<FrameDecision>> evidence) {
        this(viewers, assets, chapters, audience, evidence, RemotePlaybackIds.NONE);
    }

    /**
     * @param viewers decides about signed playback ids
     * @param assets which have ids of their own
     * @param chapters of sessions and assets
     * @param audience counts the viewers of streams
     * @param evidence frames of moderation, which have links of their own
     * @param others what other nodes have
     */
    public PlaybackResolver(
            ViewerAccess viewers,
            AssetPlaybackIds assets,
            Chapters chapters,
            Audience audience,
            Function<FrameRequest, CompletionStage<FrameDecision>> evidence,
            RemotePlaybackIds others) {
        this.others = others;
        this.evidence = evidence;
        this.viewers = viewers;
        this.assetIds = assets;
        this.chapters = chapters;
        this.audience = audience;
        this.assets =
                new AssetPlayback(
                        assets, session -> Optional.ofNullable(window(session)), chapters);
    }

    @Override
    public CompletionStage<PlaybackDecision> resolve(PlaybackRequest request) {
        Optional<PlaybackPolicy> policy = policy(request.playbackId());
        if (policy.isEmpty() || mayRunElsewhere(request.playbackId())) {
            return elsewhere(request, policy);
        }
        return here(request, policy.get());
    }

    private CompletionStage<PlaybackDecision> here(PlaybackRequest request, PlaybackPolicy policy) {
        return switch (policy) {
            case PUBLIC -> shown(request, /* restricted= */ false, Optional.empty());
            case SIGNED -> viewers.check(request).thenCompose(verdict -> signed(request, verdict));
        };
    }

    /** Its session here has ended: another node may have the stream by now. */
    private boolean mayRunElsewhere(String playbackId) {
        if (others.isAlone()) {
            return false;
        }
        Entry entry = entries.get(playbackId);
        Shown now = entry == null ? null : shown.get(entry.stream());
        return now != null && !now.running();
    }

    /**
     * @param known of a stream or asset of this server
     */
    private CompletionStage<PlaybackDecision> elsewhere(
            PlaybackRequest request, Optional<PlaybackPolicy> known) {
        return others.find(request.playbackId())
                .<CompletionStage<PlaybackDecision>>handle(
                        (found, failure) -> {
                            if (failure == null && found.isPresent()) {
                                return RemoteDecisions.of(viewers, request, found.get());
                            }
                            // The look-up may have found it in S3, from where it comes here.
                            Optional<PlaybackPolicy> now =
                                    known.or(() -> policy(request.playbackId()));
                            if (now.isPresent()) {
                                return here(request, now.get());
                            }
                            return failure == null
                                    ? notOpen(request)
                                    : CompletableFuture.completedFuture(NOT_LOOKED_UP);
                        })
                .thenCompose(decided -> decided);
    }

    /**
     * Nothing here has it. It may be of an asset that this node has taken over, or has found at its
     * start, and opens in a moment.
     */
    private CompletionStage<PlaybackDecision> notOpen(PlaybackRequest request) {
        return others.isExpected(request.playbackId())
                .handle(
                        (expected, failure) -> {
                            if (failure != null) {
                                return NOT_LOOKED_UP;
                            }
                            return expected ? NOT_OPEN_YET : PlaybackDecision.Refused.NOT_FOUND;
                        });
    }

    @Override
    public CompletionStage<PlaybackDecision> resolveForNode(PlaybackRequest request) {
        return policy(request.playbackId())
                .map(
                        policy ->
                                shown(request, policy == PlaybackPolicy.SIGNED, Optional.empty())
                                        .thenApply(PlaybackResolver::notCounted))
                .orElseGet(() -> notOpen(request));
    }

    /** Viewers are counted where they ask. */
    private static PlaybackDecision notCounted(PlaybackDecision decision) {
        return decision instanceof PlaybackDecision.Live live
                ? new PlaybackDecision.Live(
                        live.sessions(), live.running(), live.restricted(), live.grant())
                : decision;
    }

    /** Whether a viewer's token is good for a signed playback id. */
    public CompletionStage<ViewerAccess.Verdict> check(PlaybackRequest request) {
        return viewers.check(request);
    }

    @Override
    public CompletionStage<FrameDecision> frame(FrameRequest request) {
        return evidence.apply(request);
    }

    private Optional<PlaybackPolicy> policy(String playbackId) {
        Entry entry = entries.get(playbackId);
        return entry == null
                ? assetIds.find(playbackId).map(AssetPlaybackIds.Playable::policy)
                : Optional.of(entry.policy());
    }

    /** What a session shows, also a while after its end; null if there is none. */
    @Nullable LivePlayback window(SessionId session) {
        return windows.get(session);
    }

    /** Shows a new session under the stream's ids. */
    void open(StreamId stream, List<PlaybackId> ids, LivePlayback session) {
        change(
                () -> {
                    List<LivePlayback> sessions = new ArrayList<>();
                    sessions.add(session);
                    Shown before = shown.get(stream);
                    if (before != null) {
                        sessions.addAll(before.sessions());
                    }
                    shown.put(
                            stream,
                            new Shown(
                                    sessions,
                                    /* running= */ true,
                                    Optional.of(audience.open(stream))));
                    windows.put(session.session(), session);
                    replaceIds(stream, ids);
                });
    }

    /**
     * Applies the changed ids of a stream. Has no effect while no session of it is shown. Blocks
     * while the ids are read.
     *
     * @param ids reads them; one read at a time, so that an older result never replaces a newer one
     */
    void identify(StreamId stream, Supplier<List<PlaybackId>> ids) {
        identifying.lock();
        try {
            List<PlaybackId> read = ids.get();
            change(
                    () -> {
                        if (shown.containsKey(stream)) {
                            replaceIds(stream, read);
                        }
                    });
        } finally {
            identifying.unlock();
        }
    }

    /** Removes an ended session's multivariant playlist. Its media stays for a while. */
    void ended(StreamId stream, SessionId session) {
        change(
                () -> {
                    Shown now = shown.get(stream);
                    if (now != null && now.sessions().getFirst().session().equals(session)) {
                        shown.put(stream, now.with(now.sessions(), /* isRunning= */ false));
                    }
                });
    }

    /** Removes one ended session. */
    void close(StreamId stream, SessionId session) {
        change(
                () -> {
                    windows.remove(session);
                    Shown now = shown.get(stream);
                    if (now == null) {
                        return;
                    }
                    List<LivePlayback> left =
                            now.sessions().stream()
                                    .filter(each -> !each.session().equals(session))
                                    .toList();
                    if (left.isEmpty()) {
                        remove(stream);
                    } else {
                        shown.put(stream, now.with(left, now.running()));
                    }
                });
    }

    /** Removes a stream: all its requests receive 404, blocked ones too. */
    void closeAll(StreamId stream) {
        change(
                () -> {
                    Shown gone = shown.get(stream);
                    remove(stream);
                    if (gone != null) {
                        for (LivePlayback each : gone.sessions()) {
                            windows.remove(each.session());
                            each.close();
                        }
                    }
                });
    }

    private void change(Runnable work) {
        changing.lock();
        try {
            work.run();
        } finally {
            changing.unlock();
        }
    }

    private void remove(StreamId stream) {
        entries.values().removeIf(entry -> entry.stream().equals(stream));
        shown.remove(stream);
        audience.close(stream);
    }

    private void replaceIds(StreamId stream, List<PlaybackId> ids) {
        // New ones first: an unchanged id is never missing in between.
        ids.forEach(id -> entries.put(id.id(), new Entry(stream, id.policy())));
        Set<String> kept = ids.stream().map(PlaybackId::id).collect(Collectors.toSet());
        entries.entrySet()
                .removeIf(
                        entry ->
                                entry.getValue().stream().equals(stream)
                                        && !kept.contains(entry.getKey()));
    }

    private CompletionStage<PlaybackDecision> signed(
            PlaybackRequest request, ViewerAccess.Verdict verdict) {
        return switch (verdict) {
            case ViewerAccess.Verdict.Allowed(var grant) ->
                    shown(request, /* restricted= */ true, grant);
            case ViewerAccess.Verdict.Refused(var reason) ->
                    CompletableFuture.completedFuture(reason.decision());
        };
    }

    /** Looks up the id again: it may have been removed during the check. */
    private CompletionStage<PlaybackDecision> shown(
            PlaybackRequest request, boolean restricted, Optional<String> grant) {
        Entry entry = entries.get(request.playbackId());
        if (entry == null) {
            return assets.shown(request, restricted, grant);
        }
        return request.resource() == PlaybackRequest.Resource.CHAPTERS
                ? chapters(entry, restricted)
                : CompletableFuture.completedFuture(live(entry, request, restricted, grant));
    }

    /** Of the newest session, as long as it runs. */
    private CompletionStage<PlaybackDecision> chapters(Entry entry, boolean restricted) {
        Shown now = shown.get(entry.stream());
        if (now == null || !now.running()) {
            return CompletableFuture.completedFuture(PlaybackDecision.Refused.NOT_FOUND);
        }
        return chapters.of(now.sessions().getFirst())
                .thenApply(text -> Chapters.decision(text, restricted));
    }

    private PlaybackDecision live(
            Entry entry, PlaybackRequest request, boolean restricted, Optional<String> grant) {
        Shown now = shown.get(entry.stream());
        if (now == null) {
            return PlaybackDecision.Refused.NOT_FOUND;
        }
        return switch (request.resource()) {
            case MULTIVARIANT, MEDIA ->
                    new PlaybackDecision.Live(
                            now.sessions(), now.running(), restricted, grant, now.viewers());
            case THUMBNAIL -> thumbnail(now, restricted);
            // Only assets have an MP4; chapters are read elsewhere.
            case MP4, CHAPTERS -> PlaybackDecision.Refused.NOT_FOUND;
        };
    }

    /** Present as long as the multivariant playlist is. */
    private static PlaybackDecision thumbnail(Shown now, boolean restricted) {
        LivePlayback newest = now.sessions().getFirst();
        return now.running() && newest.multivariant("").isPresent()
                ? new PlaybackDecision.Thumbnail(
                        newest, Thumbnails.ByDefault.NEWEST, /* settled= */ false, restricted)
                : PlaybackDecision.Refused.NOT_FOUND;
    }
}
