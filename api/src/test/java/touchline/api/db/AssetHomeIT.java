package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.view.AssetView;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;

/** Where the work on an asset is done, by the rows of two nodes. */
final class AssetHomeIT {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final AssetState FINISHED =
            AssetState.finished(10_000_000, 1_000, List.of(), NOW);

    private final DatabaseConfig config = TestPostgres.newDatabase();
    private final List<Database> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.reversed().forEach(Database::close);
    }

    private Database node(String id) {
        Database joined =
                new ServerDatabase(
                                config,
                                Path.of("does-not-exist"),
                                new LeaseHolder(id, id, _ -> false),
                                _ -> {})
                        .join(
                                new ServerDatabase.Joining(
                                        new NodeSettings(
                                                id,
                                                List.of("origin", "jobs"),
                                                "1.0",
                                                "hash",
                                                "key",
                                                "secret"),
                                        new NodeLoad(),
                                        Duration.ofMinutes(1),
                                        Duration.ofSeconds(1),
                                        NodeExchange.NONE));
        open.add(joined);
        return joined;
    }

    /** Only what is not in S3 binds work to a node. */
    @Test
    void clips_areMadeAtTheHomeOfASourceThatIsNotUploaded_elseHere() {
        Database a = node("node-a");
        Database b = node("node-b");
        AssetRepository atA = new AssetRepository(a, AssetView::of);
        AssetRepository atB = new AssetRepository(b, AssetView::of);
        AssetUploads uploads = new AssetUploads(b);
        Asset source = Asset.recording(definition(), new SessionId("ses_1"), NOW).with(FINISHED);
        atA.create(source);
        assertEquals(Optional.of("node-a"), atB.onlyHomeOf(source.id()));
        assertTrue(uploads.isOnlyElsewhere(source.id()));
        assertFalse(new AssetUploads(a).isOnlyElsewhere(source.id()));
        Asset early = source.clip(0, 1_000_000, NOW);
        atB.create(early);
        assertEquals(Optional.of("node-a"), atB.homeOf(early.id()));

        assertTrue(new AssetUploads(a).finish(source.id(), NOW));

        assertEquals(Optional.empty(), atB.onlyHomeOf(source.id()));
        assertFalse(uploads.isOnlyElsewhere(source.id()));
        assertTrue(uploads.isUploaded(source.id()));
        assertEquals(
                Set.of(source.id()),
                uploads.uploaded(List.of(source.id().value(), "foreign", early.id().value())));
        Asset late = source.clip(0, 1_000_000, NOW);
        atB.create(late);
        assertEquals(Optional.of("node-b"), atB.homeOf(late.id()));
        assertEquals(Deletion.DELETED, atB.delete(source.id()));
    }

    private static StreamDefinition definition() {
        return new StreamDefinition(
                StreamDefinition.newId(),
                StreamDefinition.DEFAULT_ACCOUNT,
                "key",
                StreamSettings.DEFAULTS,
                /* disabled= */ false,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                NOW);
    }
}
