package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.AtOnce;
import touchline.api.asset.AssetFixture;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.maintenance.AssetRetention;
import touchline.config.DatabaseConfig;
import touchline.config.EvidenceConfig;
import touchline.config.HomeConfig;
import touchline.config.RetentionConfig;
import touchline.config.StorageConfig;
import touchline.media.store.DiskSpace;

/** Retention of assets on three nodes: each asset is deleted once, and not one too many. */
final class AssetNodesIT {
    private static final int NODES = 3;
    private static final int ASSETS = 12;
    private static final long BYTES = 100;

    private final DatabaseConfig config = TestPostgres.newDatabase();

    @TempDir private Path root;

    private final List<AssetFixture> nodes = new ArrayList<>();

    /** By turns of the three nodes. */
    private final List<Asset> oldestFirst = new ArrayList<>();

    @BeforeEach
    void open() {
        for (int i = 0; i < NODES; i++) {
            String id = "node-" + i;
            nodes.add(
                    new AssetFixture(
                            root.resolve(id), JoinedNode.join(config, id, Duration.ofSeconds(1))));
        }
        for (int i = 0; i < ASSETS; i++) {
            AssetFixture node = nodes.get(i % NODES);
            Asset asset =
                    node.stored(
                            AssetFixture.finished(
                                    1, BYTES, AssetFixture.NOW.minusSeconds(ASSETS - i)));
            assertTrue(node.uploads.begin(asset.id(), AssetFixture.NOW));
            oldestFirst.add(asset);
        }
    }

    @AfterEach
    void close() {
        nodes.reversed().forEach(AssetFixture::close);
    }

    private static AssetRetention retention(
            AssetFixture node, boolean inS3, RetentionConfig retention) {
        return new AssetRetention(
                () ->
                        new StorageConfig(
                                /* minFreeBytes= */ 1_000,
                                0,
                                Optional.empty(),
                                retention,
                                EvidenceConfig.DEFAULT,
                                HomeConfig.LOCAL),
                new AssetRetention.Dependencies(
                        node.keeper,
                        new FinishedAssets(node.database()),
                        _ -> false,
                        () -> new DiskSpace(0, 0, 0, 0),
                        inS3,
                        () -> AssetFixture.NOW));
    }

    private static RetentionConfig maxAge(int seconds) {
        return new RetentionConfig(Duration.ofSeconds(seconds), 0, Duration.ZERO, false);
    }

    private static RetentionConfig maxBytes(long bytes) {
        return new RetentionConfig(Duration.ZERO, bytes, Duration.ZERO, false);
    }

    /** All nodes at the same moment. Returns how many assets each has deleted. */
    private List<Integer> together(RetentionConfig config) throws Exception {
        List<Callable<Integer>> runs = new ArrayList<>();
        for (AssetFixture node : nodes) {
            runs.add(retention(node, /* inS3= */ true, config)::apply);
        }
        return AtOnce.run(runs);
    }

    private List<AssetId> left() {
        return oldestFirst.stream()
                .map(Asset::id)
                .filter(id -> nodes.getFirst().repository.find(id).isPresent())
                .toList();
    }

    private List<AssetId> youngest(int count) {
        return oldestFirst.subList(ASSETS - count, ASSETS).stream().map(Asset::id).toList();
    }

    @Test
    void size_inS3_isThatOfAllNodes_andTheOldestGoOnce() throws Exception {
        int deleted = sum(together(maxBytes(7 * BYTES)));
        assertTrue(left().containsAll(youngest(7)), "one too many: " + left());

        // Each may have left some that another node deleted while it read the size.
        for (AssetFixture node : nodes) {
            deleted += retention(node, /* inS3= */ true, maxBytes(7 * BYTES)).apply();
        }

        assertEquals(5, deleted);
        assertEquals(youngest(7), left());
    }

    @Test
    void age_inS3_isAppliedByEachNode_andByAnyToTheAssetsOfADeadOne() throws Exception {
        assertEquals(List.of(2, 2, 2), together(maxAge(6)));
        assertEquals(youngest(6), left());

        nodes.removeLast().close();
        nodes.getFirst()
                .database()
                .with(
                        handle ->
                                handle.execute(
                                        "UPDATE nodes SET state = 'gone' WHERE id = 'node-2'"));
        assertEquals(5, sum(together(maxAge(1))));
        assertEquals(youngest(1), left());
        for (AssetFixture each : nodes) {
            Set<AssetId> objects =
                    each.uploads.deletedBefore(
                            Instant.ofEpochMilli(Long.MAX_VALUE), Instant.EPOCH, ASSETS);
            assertTrue(objects.contains(oldestFirst.get(8).id()), "of the dead node: " + objects);
            assertEquals(4 + 3, objects.size());
        }
    }

    @Test
    void size_onTheDisk_isThatOfEachNode() {
        AssetFixture first = nodes.getFirst();

        assertEquals(2, retention(first, /* inS3= */ false, maxBytes(2 * BYTES)).apply());

        assertEquals(
                Stream.of(0, 3).map(i -> oldestFirst.get(i).id()).toList(),
                oldestFirst.stream().map(Asset::id).filter(id -> !left().contains(id)).toList());
    }

    private static int sum(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).sum();
    }
}
