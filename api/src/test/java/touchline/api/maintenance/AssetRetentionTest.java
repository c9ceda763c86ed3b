package touchline.api.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.AssetFixture;
import touchline.api.db.FinishedAssets;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.config.EvidenceConfig;
import touchline.config.HomeConfig;
import touchline.config.RetentionConfig;
import touchline.config.StorageConfig;
import touchline.media.store.DiskSpace;

final class AssetRetentionTest {
    private static final long MIN_FREE_BYTES = 1_000;

    @TempDir private Path root;

    private final Set<AssetId> inUse = new HashSet<>();

    private boolean inS3;

    private AssetFixture room;

    /** One, two, three and four hours old; 100 bytes each; in order of age. */
    private List<Asset> youngestFirst;

    @BeforeEach
    void open() throws Exception {
        room = new AssetFixture(root);
        youngestFirst = new ArrayList<>();
        for (int hours = 1; hours <= 4; hours++) {
            Asset asset =
                    room.stored(
                            AssetFixture.finished(
                                    1, 100, AssetFixture.NOW.minus(Duration.ofHours(hours))));
            Files.createDirectories(room.folders.of(asset.id()));
            youngestFirst.add(asset);
        }
        room.stored(AssetState.RECORDING);
    }

    @AfterEach
    void close() {
        room.close();
    }

    private AssetRetention retention(RetentionConfig config, AssetRetention.FreeSpace space) {
        return new AssetRetention(
                () ->
                        new StorageConfig(
                                MIN_FREE_BYTES,
                                0,
                                Optional.empty(),
                                config,
                                EvidenceConfig.DEFAULT,
                                HomeConfig.LOCAL),
                new AssetRetention.Dependencies(
                        room.keeper,
                        new FinishedAssets(room.database()),
                        inUse::contains,
                        space,
                        inS3,
                        () -> AssetFixture.NOW));
    }

    private int applied(int maxAgeHours, long maxBytes, int minAgeHours) {
        RetentionConfig config =
                new RetentionConfig(
                        Duration.ofHours(maxAgeHours),
                        maxBytes,
                        Duration.ofHours(minAgeHours),
                        /* onLowSpace= */ false);
        return retention(config, () -> free(Long.MAX_VALUE)).apply();
    }

    private List<AssetId> left() {
        return youngestFirst.stream()
                .map(Asset::id)
                .filter(id -> room.repository.find(id).isPresent())
                .toList();
    }

    private List<AssetId> youngest(int count) {
        return youngestFirst.subList(0, count).stream().map(Asset::id).toList();
    }

    @Test
    void byDefault_nothingIsDeleted() {
        assertFalse(RetentionConfig.OFF.isOn());
        assertEquals(0, retention(RetentionConfig.OFF, () -> free(0)).apply());
        assertEquals(youngest(4), left());
    }

    @Test
    void tooOld_goesWithItsFiles() {
        assertEquals(2, applied(/* maxAgeHours= */ 2, 0, 0));

        assertEquals(youngest(2), left());
        assertFalse(Files.exists(room.folders.of(youngestFirst.getLast().id())));
    }

    @Test
    void tooLargeTogether_oldestGoUntilItFits() {
        assertEquals(1, applied(0, /* maxBytes= */ 399, 0));
        assertEquals(2, applied(0, /* maxBytes= */ 100, 0));

        assertEquals(youngest(1), left());
    }

    @Test
    void younger_thanTheMinimumAge_stays() {
        assertEquals(2, applied(0, /* maxBytes= */ 1, /* minAgeHours= */ 2));

        assertEquals(youngest(2), left());
    }

    @Test
    void lowSpace_oldestGoUntilThereIsRoom() {
        AssetRetention.FreeSpace space = () -> free(1_700L - 100L * folders());
        RetentionConfig config = new RetentionConfig(Duration.ZERO, 0, Duration.ZERO, true);

        inS3 = true;
        assertEquals(0, retention(config, space).apply());
        inS3 = false;
        assertEquals(2, retention(config, space).apply());

        assertEquals(youngest(2), left());
    }

    private static DiskSpace free(long bytes) {
        return new DiskSpace(bytes, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    private long folders() throws IOException {
        return room.folders.names().size();
    }

    @Test
    void inUse_staysAndTheNextOneGoes() {
        inUse.add(youngestFirst.getLast().id());

        assertEquals(1, applied(0, /* maxBytes= */ 300, 0));

        assertEquals(
                List.of(
                        youngestFirst.get(0).id(),
                        youngestFirst.get(1).id(),
                        youngestFirst.get(3).id()),
                left());
    }
}
