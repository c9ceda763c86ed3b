package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.Database;
import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.db.MemoryDatabase;
import touchline.api.domain.AssetId;
import touchline.api.domain.Marker;
import touchline.api.scoreboard.ShownSession;

final class ChapterTextsTest {
    private static final ShownSession SESSION = new ShownSession("ses_1");

    private final AtomicLong nowNs = new AtomicLong(3);
    private final Deque<Runnable> reads = new ArrayDeque<>();

    @TempDir Path folder;

    private Database database() {
        return MemoryDatabase.open();
    }

    private static String text(CompletionStage<Optional<String>> stage) {
        return stage.toCompletableFuture().join().orElseThrow();
    }

    @Test
    void of_manyViewers_readOnceEachTwoSeconds() {
        try (Database database = database()) {
            ChapterTexts chapters = new ChapterTexts(database, nowNs::get, reads::add);
            MarkerRepository markers = new MarkerRepository(database);
            markers.create(Owner.of(SESSION.session()), Marker.create("one", "", 0, Instant.EPOCH));

            CompletionStage<Optional<String>> first = chapters.of(SESSION);
            for (int i = 0; i < 100; i++) {
                chapters.of(SESSION);
            }
            assertEquals(1, reads.size());
            reads.remove().run();
            assertTrue(text(first).contains("\none\n"), text(first));

            markers.create(
                    Owner.of(SESSION.session()), Marker.create("two", "", 500_000, Instant.EPOCH));
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(2));
            CompletionStage<Optional<String>> later = chapters.of(SESSION);
            reads.remove().run();
            assertTrue(text(later).contains("\ntwo\n"), text(later));
        }
    }

    @Test
    void of_aDeletedAsset_isEmpty() {
        try (Database database = database()) {
            ChapterTexts chapters = new ChapterTexts(database, nowNs::get, Runnable::run);

            assertEquals(
                    Optional.empty(),
                    chapters.of(new AssetId("ast_gone")).toCompletableFuture().join());
        }
    }
}
