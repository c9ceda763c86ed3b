package touchline.api.watch;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import touchline.api.access.RecentMap;
import touchline.api.asset.AssetPlaybackIds;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.StreamDefinition;
import touchline.api.session.LiveControl;
import touchline.api.session.RemotePlaybackIds;
import touchline.api.watch.Watched.Now;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;

/**
 * What playback ids show. It is read from the database by virtual threads, and kept for a second,
 * so viewers cause at most one read a second for each id. Unknown ids are kept too. Any thread;
 * never blocks.
 */
final class WatchCatalog {
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(1);

    /** Ids kept, at most twice as many. */
    private static final int MAX_KEPT = 4_096;

    /** Ids that are being read; more are refused, so that the queue of the database stays short. */
    private static final int MAX_READING = 64;

    private final WatchAnswers.Sources sources;
    private final LongSupplier nanoTime;
    private final Executor executor;
    private final Semaphore places = new Semaphore(MAX_READING);
    private final RecentMap<Asked, Kept> kept = new RecentMap<>(MAX_KEPT);

    /**
     * @param here only what this node knows by itself, since another node asks
     */
    private record Asked(String playbackId, boolean here) {}

    private record Kept(CompletableFuture<Optional<Watched>> watched, long readNs) {}

    /**
     * @param nanoTime a monotonic clock
     * @param executor reads from the database
     */
    WatchCatalog(WatchAnswers.Sources sources, LongSupplier nanoTime, Executor executor) {
        this.sources = sources;
        this.nanoTime = nanoTime;
        this.executor = executor;
    }

    /**
     * What an id shows; empty for an unknown one.
     *
     * @return empty while too many ids are being read
     */
    Optional<CompletionStage<Optional<Watched>>> find(String playbackId) {
        return find(new Asked(playbackId, sources.others().isAlone()));
    }

    /** The same of this node alone: a stream of another one is idle. */
    Optional<CompletionStage<Optional<Watched>>> findHere(String playbackId) {
        return find(new Asked(playbackId, /* here= */ true));
    }

    private Optional<CompletionStage<Optional<Watched>>> find(Asked asked) {
        long nowNs = nanoTime.getAsLong();
        Kept before = kept.get(asked);
        if (before != null && nowNs - before.readNs() < KEPT_NS) {
            return Optional.of(before.watched());
        }
        if (!places.tryAcquire()) {
            return Optional.empty();
        }
        CompletableFuture<Optional<Watched>> read = new CompletableFuture<>();
        kept.put(asked, new Kept(read, nowNs));
        try {
            executor.execute(() -> read(asked, read));
        } catch (RuntimeException e) {
            places.release();
            read.completeExceptionally(e);
        }
        return Optional.of(read);
    }

    /** Waiting for another node takes no place. */
    private void read(Asked asked, CompletableFuture<Optional<Watched>> then) {
        try {
            CompletionStage<Optional<Watched>> found;
            try {
                found = read(asked);
            } finally {
                places.release();
            }
            found.whenComplete(
                    (watched, failure) -> {
                        if (failure == null) {
                            then.complete(watched);
                        } else {
                            then.completeExceptionally(failure);
                        }
                    });
        } catch (RuntimeException | Error e) {
            then.completeExceptionally(e);
        }
    }

    private CompletionStage<Optional<Watched>> read(Asked asked) {
        String id = asked.playbackId();
        Optional<AssetPlaybackIds.Playable> asset = sources.assetIds().find(id);
        if (asset.isPresent()) {
            return CompletableFuture.completedFuture(
                    stored(asset.get().asset(), asset.get().policy()));
        }
        Optional<StreamDefinition> stream = sources.streams().findByPlaybackId(id);
        if (asked.here() || stream.filter(this::isShownHere).isPresent()) {
            return CompletableFuture.completedFuture(
                    stream.flatMap(found -> of(found, id, now(found))));
        }
        Optional<RemotePlaybackIds.Found> other =
                sources.others().find(id).toCompletableFuture().join();
        if (stream.isEmpty()) {
            return CompletableFuture.completedFuture(
                    other.flatMap(
                            found -> stored(new AssetId(found.media().subject()), found.policy())));
        }
        StreamDefinition found = stream.get();
        return other.isEmpty()
                ? CompletableFuture.completedFuture(of(found, id, new Watched.Idle()))
                : new RemoteState(other.get().media(), sources.unended().apply(found.id()))
                        .read()
                        .thenApply(now -> of(found, id, now));
    }

    private boolean isShownHere(StreamDefinition stream) {
        return stream.disabled() || sources.live().get().active(stream.id()).isPresent();
    }

    private Optional<Watched> stored(AssetId asset, PlaybackPolicy policy) {
        return sources.assets().find(asset).map(found -> stored(found, policy));
    }

    private static Watched stored(Asset asset, PlaybackPolicy policy) {
        return new Watched(
                asset.labels().title(),
                policy,
                new Watched.Stored(asset.state().live(), asset.state().durationUs()));
    }

    private static Optional<Watched> of(StreamDefinition stream, String playbackId, Now now) {
        return policy(stream.playbackIds(), playbackId)
                .map(policy -> new Watched(stream.settings().title(), policy, now));
    }

    private static Optional<PlaybackPolicy> policy(List<PlaybackId> ids, String playbackId) {
        return ids.stream()
                .filter(each -> each.id().equals(playbackId))
                .map(PlaybackId::policy)
                .findFirst();
    }

    private Now now(StreamDefinition stream) {
        if (stream.disabled()) {
            return new Watched.Disabled();
        }
        LiveControl control = sources.live().get();
        Optional<LiveStream> active = control.active(stream.id());
        if (active.isEmpty()) {
            return new Watched.Idle();
        }
        SessionId session = active.get().session();
        OptionalLong positionUs = control.positionUs(session);
        return new Watched.Live(
                session.value(),
                active.get().disconnectedAt().isEmpty(),
                positionUs,
                control.mediaStartUs(session),
                isRecorded(stream.id(), session));
    }

    /** Whether a running session is recorded from its start. */
    private boolean isRecorded(StreamId stream, SessionId session) {
        List<AssetId> newest =
                sources.assets().recent(List.of(stream), 1).getOrDefault(stream, List.of());
        return newest.stream()
                .map(sources.assets()::find)
                .flatMap(Optional::stream)
                .anyMatch(
                        asset ->
                                asset.state().live()
                                        && asset.origin()
                                                .equals(
                                                        new AssetOrigin.Recorded(
                                                                session, /* fromStart= */ true)));
    }
}
