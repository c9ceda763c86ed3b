package touchline.api.asset;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.view.AssetView;
import touchline.api.view.ChaptersView;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.LivePosition;
import touchline.packager.hls.LiveWindow;

/**
 * Chapters of sessions and assets, as viewers get them. A text is read from the database by a
 * virtual thread and kept for two seconds, so viewers cause at most one read each two seconds. Any
 * thread; never blocks.
 */
public final class ChapterTexts implements Chapters {
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(2);

    /** Texts kept at once; above it the old ones are dropped. */
    private static final int MAX_KEPT = 1_000;

    private final MarkerRepository markers;
    private final AssetRepository assets;
    private final LongSupplier nanoTime;
    private final Executor executor;
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();

    private record Kept(CompletableFuture<Optional<String>> text, long readNs) {}

    public ChapterTexts(Database database) {
        this(database, System::nanoTime, task -> Thread.ofVirtual().name("chapters").start(task));
    }

    /**
     * @param nanoTime a monotonic clock
     * @param executor reads from the database
     */
    ChapterTexts(Database database, LongSupplier nanoTime, Executor executor) {
        this.markers = new MarkerRepository(database);
        this.assets = new AssetRepository(database, AssetView::of);
        this.nanoTime = nanoTime;
        this.executor = executor;
    }

    @Override
    public CompletionStage<Optional<String>> of(LivePlayback session) {
        long endUs =
                session instanceof LiveWindow window
                        ? LivePosition.publishedUs(window).orElse(0)
                        : 0;
        Owner owner = Owner.of(session.session());
        return cached(
                owner.id(), () -> Optional.of(ChaptersView.webVtt(markers.all(owner), endUs)));
    }

    @Override
    public CompletionStage<Optional<String>> of(AssetId asset) {
        return cached(asset.value(), () -> assets.find(asset).map(this::text));
    }

    private String text(Asset asset) {
        return ChaptersView.webVtt(
                markers.all(AssetMarkers.owner(asset)), asset.state().durationUs());
    }

    private CompletionStage<Optional<String>> cached(String key, Supplier<Optional<String>> read) {
        long nowNs = nanoTime.getAsLong();
        if (kept.size() >= MAX_KEPT) {
            kept.values().removeIf(each -> nowNs - each.readNs() >= KEPT_NS);
        }
        return kept.compute(
                        key,
                        (_, before) ->
                                before != null && nowNs - before.readNs() < KEPT_NS
                                        ? before
                                        : new Kept(
                                                CompletableFuture.supplyAsync(read, executor),
                                                nowNs))
                .text();
    }
}
