package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.api.home.RecordedMedia;
import touchline.packager.record.Recording;
import touchline.testing.Await;

/** Assets whose files are in a store, and recordings that go on here. */
final class AssetsElsewhereTest {
    @TempDir private Path root;

    private AssetFixture room;
    private final StoredElsewhere store = new StoredElsewhere();
    private AssetService keeper;

    @BeforeEach
    void open() {
        room = new AssetFixture(root);
        keeper = room.newKeeper(store);
    }

    @AfterEach
    void close() {
        room.close();
    }

    private boolean isOpen(Asset asset) {
        return keeper.playbackIds().find(asset.playbackIds().getFirst().id()).isPresent();
    }

    private AssetState stored(Asset asset) {
        return room.repository.find(asset.id()).orElseThrow().state();
    }

    private Path folder(Asset asset) {
        return room.folders.of(asset.id());
    }

    @Test
    void openStored_assetWithAllFilesInTheStore_isShown() {
        Asset asset = room.stored(AssetFixture.finished(5_000_000));
        store.stored.add(asset.id());

        assertTrue(keeper.openStored(asset.id()));

        assertTrue(isOpen(asset));
    }

    @Test
    void openStored_whatIsNotWhole_isNotShown() throws Exception {
        Asset waiting = room.stored(AssetFixture.finished(5_000_000));
        Asset live = room.stored(AssetState.RECORDING);
        Asset former = room.stored(AssetFixture.finished(5_000_000));
        Files.createDirectories(folder(former));
        AssetId deleted = AssetId.create();
        store.stored.addAll(List.of(live.id(), former.id(), deleted));

        for (AssetId id : List.of(waiting.id(), live.id(), former.id(), deleted)) {
            assertFalse(keeper.openStored(id));
        }
        for (Asset asset : List.of(waiting, live, former)) {
            assertFalse(isOpen(asset));
        }
        assertFalse(room.newKeeper().openStored(waiting.id()), "without a store");
    }

    @Test
    void changedElsewhere_recordingThatAnotherNodeHasTaken_isHidden() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(5_000_000));
        Files.createDirectories(folder(asset));
        keeper.playbackIds().open(asset);

        keeper.changedElsewhere(asset.id());
        assertTrue(isOpen(asset), "it is still of this node");

        store.elsewhere.add(asset.id());
        keeper.changedElsewhere(asset.id());
        assertFalse(isOpen(asset));
        assertTrue(Files.exists(folder(asset)), "it is compared first");
    }

    @Test
    void bringBack_allFilesOfTheIndex_eachOnce() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(8_000_000));
        Recording recording = RecordedMedia.write(folder(asset), 100, 2);
        assertEquals(2, recording.segments().size());

        keeper.bringBack(asset.id());

        assertEquals(
                List.of(
                        "head " + asset.id(),
                        "files [" + recording.segments().getFirst().fileName() + "]"),
                store.calls);
    }

    @Test
    void bringBack_withoutAStore_doesNothing() throws Exception {
        room.newKeeper().bringBack(AssetId.create());

        assertEquals(List.of(), store.calls);
    }

    @Test
    void reopen_recordingAfterAStop_goesOnWhereItWas() throws Exception {
        Asset asset;
        try (RecordingAsset first = room.begin()) {
            asset = first.asset();
            first.segmentStored(segment(1));
            first.suspended();
        }
        Await.until(() -> stored(asset).durationUs() == 4_000_000);
        assertTrue(stored(asset).live());
        assertFalse(keeper.isRecording());

        keeper = room.newKeeper(store);
        try (RecordingAsset again = keeper.reopen(asset.id()).orElseThrow()) {
            assertTrue(keeper.isRecording());
            assertTrue(isOpen(asset), "it can be played at once");
            again.segmentStored(segment(2));
            assertEquals(8_000_000, keeper.find(asset.id()).orElseThrow().state().durationUs());
            again.ended(new Recording(List.of(), List.of(segment(1), segment(2)), true));
        }

        Await.until(() -> !stored(asset).live());
        assertEquals(AssetFixture.finished(8_000_000, 0, AssetFixture.NOW), stored(asset));
        assertEquals(Optional.empty(), keeper.reopen(asset.id()).map(RecordingAsset::asset));
        assertTrue(store.calls.contains("grown " + asset.id()));
    }

    /** Its size is that of all files, wherever they are; its MP4 comes after the end is stored. */
    @Test
    void ended_recordingThatAnotherNodeHasBegun_hasTheFilesInTheStoreToo() throws Exception {
        Asset asset = room.stored(AssetState.RECORDING);
        Recording whole = RecordedMedia.write(folder(asset), 100, 2);
        room.folders.markContinued(asset.id());
        long bytes = touchline.packager.record.ContinuedRecording.sizeBytes(whole, folder(asset));

        try (RecordingAsset again = keeper.reopen(asset.id()).orElseThrow()) {
            again.ended(whole);
        }

        Await.until(() -> !stored(asset).live());
        assertEquals(
                AssetFixture.finished(whole.durationUs(), bytes, AssetFixture.NOW), stored(asset));
        Await.until(() -> store.calls.contains("changed " + asset.id()));
    }

    /** An init segment is gone: the size is that of the segments, as far as they were reported. */
    @Test
    void ended_filesThatCannotBeRead_countsTheSegments() throws Exception {
        Asset asset = room.stored(AssetState.RECORDING);
        Recording whole = RecordedMedia.write(folder(asset), 100, 2);
        room.folders.markContinued(asset.id());
        Files.delete(folder(asset).resolve(whole.inits().getFirst().fileName()));

        try (RecordingAsset again = keeper.reopen(asset.id()).orElseThrow()) {
            again.segmentStored(segment(1));
            again.segmentStored(segment(2));
            again.ended(whole);
        }

        Await.until(() -> !stored(asset).live());
        assertEquals(2_000, stored(asset).sizeBytes());
        assertEquals(whole.durationUs(), stored(asset).durationUs());
    }

    @Test
    void delete_filesInUse_stayUntilTheyAreNotReadAnyMore() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(5_000_000));
        Files.createDirectories(folder(asset));
        AssetLeases.Use lease = keeper.uses().begin(asset.id());

        assertEquals(Deletion.DELETED, keeper.delete(asset.id()));
        keeper.removeFiles();
        assertTrue(Files.exists(folder(asset)));

        lease.close();
        keeper.removeFiles();
        assertFalse(Files.exists(folder(asset)));
        assertEquals(List.of(), room.repository.leftovers(1));
    }

    private static Recording.Segment segment(int number) {
        return new Recording.Segment(number, 0, new Recording.Place(1, 0, 1_000), 0, 4_000_000, 4);
    }
}
