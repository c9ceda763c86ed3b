package touchline.api.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.StreamKeys;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetPlaybackIds;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.view.AssetView;
import touchline.config.DatabaseConfig;

final class WatchCatalogTest {
    private final AtomicLong nowNs = new AtomicLong(7);
    private final Deque<Runnable> reads = new ArrayDeque<>();

    @TempDir Path folder;
    private Database database;
    private WatchCatalog catalog;

    @BeforeEach
    void open() {
        database =
                Database.open(
                        new DatabaseConfig(
                                Optional.of("jdbc:h2:mem:" + UUID.randomUUID()),
                                Optional.of("sa"),
                                Optional.of(""),
                                4),
                        folder);
        catalog =
                new WatchCatalog(
                        new WatchAnswers.Sources(
                                new StreamRepository(
                                        database,
                                        new StreamKeys(
                                                new SecretBox(
                                                        MasterKeys.load(
                                                                Optional.empty(), folder)))),
                                new AssetRepository(database, AssetView::of),
                                new AssetPlaybackIds(new AssetFolders(folder)),
                                () -> {
                                    throw new AssertionError("nothing is live");
                                }),
                        nowNs::get,
                        reads::add);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private CompletionStage<Optional<Watched>> find(String id) {
        return catalog.find(id).orElseThrow();
    }

    @Test
    void find_anUnknownIdManyTimes_readsOnceASecond() {
        for (int i = 0; i < 100; i++) {
            find("nosuchid");
        }
        assertEquals(1, reads.size());
        reads.remove().run();
        assertEquals(Optional.empty(), find("nosuchid").toCompletableFuture().join());
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        find("nosuchid");
        assertEquals(1, reads.size());
    }

    @Test
    void find_moreIdsThanMayBeRead_refusesUntilOneIsRead() {
        int taken = 0;
        while (catalog.find("id" + taken).isPresent()) {
            taken++;
        }
        assertEquals(64, taken);
        reads.remove().run();
        assertTrue(catalog.find("other").isPresent());
    }

    @Test
    void find_whileTheDatabaseIsAway_failsAndAsksAgain() {
        database.close();
        CompletionStage<Optional<Watched>> asked = find("abc");
        reads.remove().run();
        assertTrue(asked.toCompletableFuture().isCompletedExceptionally());
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        find("abc");
        assertEquals(1, reads.size());
    }
}
