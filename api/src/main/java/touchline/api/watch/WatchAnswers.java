package touchline.api.watch;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.api.access.ViewerAccess;
import touchline.api.asset.AssetPlaybackIds;
import touchline.api.db.AssetRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.session.LiveControl;
import touchline.api.session.RemotePlaybackIds;
import touchline.config.PageConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.packager.delivery.PageDecision;
import touchline.packager.delivery.PageFile;
import touchline.packager.delivery.PageRequest;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.delivery.WatchPages;

/** Answers requests for watch pages. Any thread; never blocks. */
public final class WatchAnswers implements WatchPages {
    private static final String HTML = "text/html; charset=utf-8";
    private static final String JSON = "application/json; charset=utf-8";

    private static final PageDecision BUSY =
            new PageDecision.Refused(
                    new PlaybackDecision.Refused(
                            503,
                            50301,
                            "too many pages are opened; retry later",
                            OptionalInt.of(1)));

    private final WatchCatalog catalog;
    private final Function<PlaybackRequest, CompletionStage<ViewerAccess.Verdict>> access;
    private final Supplier<PageConfig> config;
    private final Supplier<String> address;
    private final Executor executor;

    /**
     * Made when first asked for: compressing the player takes a while, and no start waits for it.
     */
    private final AtomicReference<@Nullable CompletableFuture<WatchPage>> page =
            new AtomicReference<>();

    /**
     * Where answers come from.
     *
     * @param live asked when the first page is requested
     * @param others what other nodes have
     * @param unended the session of a stream, by its owner's row; blocks
     */
    public record Sources(
            StreamRepository streams,
            AssetRepository assets,
            AssetPlaybackIds assetIds,
            Supplier<LiveControl> live,
            RemotePlaybackIds others,
            Function<StreamId, Optional<SessionId>> unended) {}

    /**
     * @param access checks tokens of signed playback ids
     * @param address of the playback port, as viewers know it; no slash at its end
     */
    public WatchAnswers(
            Sources sources,
            Function<PlaybackRequest, CompletionStage<ViewerAccess.Verdict>> access,
            Supplier<PageConfig> config,
            Supplier<String> address) {
        this.executor = task -> Thread.ofVirtual().name("watch-page").start(task);
        this.catalog = new WatchCatalog(sources, System::nanoTime, executor);
        this.access = access;
        this.config = config;
        this.address = address;
        WatchFiles.check(config.get());
    }

    private CompletableFuture<WatchPage> loaded() {
        CompletableFuture<WatchPage> mine = new CompletableFuture<>();
        CompletableFuture<WatchPage> first = page.compareAndExchange(null, mine);
        if (first != null) {
            return first;
        }
        executor.execute(
                () -> {
                    try {
                        mine.complete(new WatchPage(WatchFiles.load(config.get())));
                    } catch (RuntimeException | Error e) {
                        // The next request tries again.
                        page.set(null);
                        mine.completeExceptionally(e);
                    }
                });
        return mine;
    }

    @Override
    public CompletionStage<Optional<PageFile>> file(String path) {
        return loaded().thenApply(found -> found.files().find(path));
    }

    @Override
    public CompletionStage<PageDecision> page(PageRequest request) {
        return catalog.find(request.playbackId())
                .map(found -> found.thenCompose(watched -> admitted(request, watched)))
                .orElseGet(() -> CompletableFuture.completedFuture(BUSY));
    }

    @Override
    public CompletionStage<PageDecision> stateForNode(String playbackId) {
        return catalog.findHere(playbackId)
                .map(found -> found.thenCompose(WatchAnswers::stateForNode))
                .orElseGet(() -> CompletableFuture.completedFuture(BUSY));
    }

    private static CompletionStage<PageDecision> stateForNode(Optional<Watched> watched) {
        return watched.map(found -> json(WatchState.json(found), /* restricted= */ true))
                .orElseGet(() -> CompletableFuture.completedFuture(PageDecision.Refused.NOT_FOUND));
    }

    private CompletionStage<PageDecision> admitted(PageRequest request, Optional<Watched> watched) {
        if (watched.isEmpty()) {
            return CompletableFuture.completedFuture(PageDecision.Refused.NOT_FOUND);
        }
        Watched found = watched.get();
        return found.policy() == PlaybackPolicy.PUBLIC
                ? answer(request, found)
                : access.apply(request.playback())
                        .thenCompose(
                                verdict ->
                                        switch (verdict) {
                                            case ViewerAccess.Verdict.Allowed _ ->
                                                    answer(request, found);
                                            case ViewerAccess.Verdict.Refused(var reason) ->
                                                    CompletableFuture.completedFuture(
                                                            new PageDecision.Refused(
                                                                    reason.decision()));
                                        });
    }

    private CompletionStage<PageDecision> answer(PageRequest request, Watched watched) {
        boolean restricted = watched.policy() != PlaybackPolicy.PUBLIC;
        return switch (request.kind()) {
            case WATCH -> html(request, watched, /* embedded= */ false);
            case EMBED -> html(request, watched, /* embedded= */ true);
            case STATE -> json(WatchState.json(watched), restricted);
            case OEMBED -> json(oembed(request, watched, restricted), restricted);
        };
    }

    private static CompletionStage<PageDecision> json(String text, boolean restricted) {
        return CompletableFuture.completedFuture(new PageDecision.Page(JSON, text, "", restricted));
    }

    private CompletionStage<PageDecision> html(
            PageRequest request, Watched watched, boolean embedded) {
        PageConfig now = config.get();
        return loaded().thenApply(
                        page ->
                                new PageDecision.Page(
                                        HTML,
                                        page.html(
                                                watched,
                                                request.playbackId(),
                                                embedded,
                                                now,
                                                address.get()),
                                        WatchPage.policy(embedded, now),
                                        watched.policy() != PlaybackPolicy.PUBLIC));
    }

    /** An address of a signed id has the viewer's token: a site that embeds it needs one. */
    private String oembed(PageRequest request, Watched watched, boolean restricted) {
        PageConfig now = config.get();
        String base = address.get() + "/" + request.playbackId();
        String query = restricted ? "?token=" + request.token().orElse("") : "";
        return OEmbed.json(
                new OEmbed.Player(
                        WatchPage.title(watched, now),
                        now.name(),
                        address.get(),
                        base + "/embed" + query,
                        restricted ? "" : base + "/thumbnail.jpg"),
                request.maxWidth(),
                request.maxHeight());
    }
}
