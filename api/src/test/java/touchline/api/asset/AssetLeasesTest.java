package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.testing.Await;

/** Files of an asset that is deleted while they are in use. */
final class AssetLeasesTest {
    @TempDir private Path root;

    private AssetFixture room;

    @BeforeEach
    void open() {
        room = new AssetFixture(root);
        room.keeper.start();
    }

    @AfterEach
    void close() {
        room.close();
    }

    private Asset asset() throws IOException {
        Asset asset = room.stored(AssetFixture.finished(1_000_000));
        Files.writeString(
                Files.createDirectory(room.folders.of(asset.id())).resolve("s0"), "media");
        return asset;
    }

    private boolean isThere(Asset asset) {
        return Files.exists(room.folders.of(asset.id()).resolve("s0"));
    }

    @Test
    void delete_whileFilesAreRead_removesThemWhenTheLastReaderIsDone() throws IOException {
        Asset asset = asset();
        AssetLeases.Use first = room.keeper.uses().begin(asset.id());
        AssetLeases.Use second = room.keeper.uses().begin(asset.id());

        assertEquals(Deletion.DELETED, room.keeper.delete(asset.id()));
        first.close();
        first.close();
        room.keeper.removeFiles();

        assertTrue(isThere(asset));
        assertTrue(room.keeper.isInUse(asset.id()));

        second.close();
        Await.until(() -> !isThere(asset));
        assertFalse(room.keeper.isInUse(asset.id()));
    }

    @Test
    void delete_whileAClipWaits_removesFilesWhenItIsCut() throws IOException {
        Asset asset = asset();
        Asset clip = asset.clip(0, 500_000, AssetFixture.NOW);
        room.repository.create(clip);

        assertEquals(Deletion.DELETED, room.keeper.delete(asset.id()));
        room.keeper.removeFiles();
        assertTrue(isThere(asset));

        assertTrue(room.keeper.update(clip.with(AssetFixture.finished(500_000))));
        Await.until(() -> !isThere(asset));
    }

    @Test
    void progressOfAClip_keepsItsSource() throws IOException {
        Asset asset = asset();
        Asset clip = asset.clip(0, 500_000, AssetFixture.NOW);
        room.repository.create(clip);

        assertTrue(room.keeper.update(clip.with(AssetState.cutting(500_000))));

        assertTrue(room.keeper.isInUse(asset.id()));
    }
}
