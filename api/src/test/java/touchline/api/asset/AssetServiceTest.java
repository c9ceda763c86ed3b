package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;
import touchline.testing.Await;

/** The life of a recorded asset, and what a start makes of what was left. */
final class AssetServiceTest {
    private static final Recording.Segment FIRST = segment(1, 4_000_000);
    private static final Recording.Segment SECOND = segment(2, 4_000_500);

    @TempDir private Path root;

    private AssetFixture room;

    @BeforeEach
    void open() {
        room = new AssetFixture(root);
    }

    @AfterEach
    void close() {
        room.close();
    }

    private static Recording.Segment segment(int number, long durationUs) {
        return new Recording.Segment(number, 0, new Recording.Place(1, 0, 1_000), 0, durationUs, 4);
    }

    private AssetState stored(Asset asset) {
        return room.repository.find(asset.id()).orElseThrow().state();
    }

    private boolean isOpen(Asset asset) {
        return room.keeper.playbackIds().find(asset.playbackIds().getFirst().id()).isPresent();
    }

    @Test
    void recorded_fromStartToEnd_isStoredAtEachStep() throws Exception {
        Asset asset;
        try (RecordingAsset recorded = room.begin()) {
            asset = recorded.asset();
            assertEquals(AssetState.RECORDING, stored(asset));
            assertFalse(isOpen(asset));

            recorded.segmentStored(FIRST);
            assertTrue(isOpen(asset));
            Await.until(() -> stored(asset).status() == AssetStatus.READY);
            assertTrue(stored(asset).live());
            recorded.segmentStored(SECOND);
            Await.until(() -> stored(asset).durationUs() == 8_000_500);

            Files.createDirectories(room.folders.of(asset.id()));
            Files.write(room.folders.of(asset.id()).resolve("s1-0.m4s"), new byte[2_077]);
            recorded.ended(new Recording(List.of(), List.of(FIRST, SECOND), true));
        }

        assertEquals(
                AssetState.finished(8_000_500, 2_077, List.of(), AssetFixture.NOW), stored(asset));
        AssetPlaybackIds.Playable playable =
                room.keeper.playbackIds().find(asset.playbackIds().getFirst().id()).orElseThrow();
        assertEquals(asset.id(), playable.asset());
        assertEquals(room.folders.of(asset.id()), playable.folder());
        assertFalse(playable.live());
    }

    @Test
    void recorded_nothingStored_isErroredWithAReason() {
        RecordingAsset recorded = room.begin();
        recorded.ended(new Recording(List.of(), List.of(), true));
        recorded.close();

        Await.until(() -> !stored(recorded.asset()).live());
        AssetState state = stored(recorded.asset());
        assertEquals(AssetStatus.ERRORED, state.status());
        assertFalse(state.live());
        assertEquals(AssetError.NOTHING_RECORDED, state.errors().getFirst().type());
        assertFalse(isOpen(recorded.asset()));
    }

    @Test
    void diskFails_whatIsThereIsFinalAtOnce_andCanBeDeletedWhileTheSessionGoesOn()
            throws Exception {
        try (RecordingAsset recorded = room.begin()) {
            Asset asset = recorded.asset();
            recorded.segmentStored(FIRST);
            recorded.failed(Recorder.Failure.LOW_SPACE, "free: 7 bytes");

            Await.until(() -> !stored(asset).live());
            assertEquals(
                    AssetState.finished(
                            4_000_000,
                            1_000,
                            List.of(new AssetError(AssetError.LOW_SPACE, "free: 7 bytes")),
                            AssetFixture.NOW),
                    stored(asset));
            assertTrue(isOpen(asset));

            assertEquals(Deletion.DELETED, room.keeper.delete(asset.id()));
            recorded.segmentStored(SECOND);
            assertFalse(isOpen(asset));
        }
        assertTrue(room.repository.all().isEmpty());
    }

    @Test
    void diskHangs_theSessionsEnd_finishesTheAsset() {
        RecordingAsset recorded = room.begin();
        recorded.segmentStored(FIRST);
        recorded.close();

        Await.until(() -> !stored(recorded.asset()).live());
        AssetState state = stored(recorded.asset());
        assertEquals(AssetStatus.READY, state.status());
        assertFalse(state.live());
        assertEquals(AssetError.DISK, state.errors().getFirst().type());
    }

    @Test
    void databaseFails_fromBeginToEnd_isAskedAgainUntilItAnswers() throws Exception {
        room.sql("ALTER TABLE assets RENAME TO away");
        RecordingAsset recorded = room.begin();
        recorded.segmentStored(FIRST);
        recorded.ended(new Recording(List.of(), List.of(FIRST), true));
        assertEquals(AssetStatus.READY, recorded.asset().state().status());
        assertTrue(recorded.asset().state().live(), "shown as over before that is stored");

        room.sql("ALTER TABLE away RENAME TO assets");
        recorded.close();

        Await.until(() -> !stored(recorded.asset()).live());
        assertEquals(
                AssetState.finished(4_000_000, 0, List.of(), AssetFixture.NOW),
                stored(recorded.asset()));
    }

    @Test
    void start_afterACrash_everyAssetIsReadyOrErrored() throws Exception {
        Asset empty = room.stored(AssetState.RECORDING);
        Files.createDirectories(room.folders.of(empty.id()));
        Asset without = room.stored(AssetState.RECORDING);
        Asset whole = room.stored(AssetFixture.finished(5_000_000));
        Files.createDirectories(room.folders.of(whole.id()));
        Asset lost = room.stored(AssetFixture.finished(5_000_000));
        Path foreign = Files.createDirectories(root.resolve("holiday"));

        room.keeper.start();

        assertTrue(isOpen(whole));
        Await.until(() -> room.repository.live().isEmpty());
        Await.until(() -> stored(lost).status() == AssetStatus.ERRORED);
        for (Asset asset : List.of(empty, without)) {
            assertEquals(AssetStatus.ERRORED, stored(asset).status());
            assertEquals(AssetError.NOTHING_RECORDED, stored(asset).errors().getFirst().type());
        }
        assertEquals(AssetError.FILES_MISSING, stored(lost).errors().getFirst().type());
        assertFalse(isOpen(lost));
        assertEquals(AssetFixture.finished(5_000_000), stored(whole));
        assertTrue(Files.isDirectory(foreign));
    }

    @Test
    void start_filesOfAClipAreBack_itIsReadyAgain() throws Exception {
        Asset clip = room.storedClip(AssetFixture.finished(5_000_000));
        room.keeper.start();
        Await.until(() -> stored(clip).status() == AssetStatus.ERRORED);
        Files.createDirectories(room.folders.of(clip.id()));

        room.newKeeper().start();

        Await.until(() -> stored(clip).status() == AssetStatus.READY);
        assertEquals(5_000_000, stored(clip).durationUs());
        assertEquals(List.of(), stored(clip).errors());
        assertTrue(isOpen(clip));
    }

    @Test
    void clip_isShownOnceItIsReady_andNotWhenItWasDeletedMeanwhile() {
        Asset clip = room.storedClip(AssetState.cutting(1_000_000));
        assertTrue(room.keeper.update(clip.with(AssetState.cutting(1_000_000))));
        assertFalse(isOpen(clip));
        Asset ready = clip.with(AssetFixture.finished(1_000_000));

        assertTrue(room.keeper.update(ready));
        assertTrue(isOpen(clip));

        assertEquals(Deletion.DELETED, room.keeper.delete(clip.id()));
        assertFalse(isOpen(clip));
        assertFalse(room.keeper.update(ready));
        assertFalse(isOpen(clip));
    }

    @Test
    void delete_filesGo_evenWhenTheServerDiesInBetween() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(1));
        Path file = room.folders.of(asset.id()).resolve("deep/s1-0.m4s");
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        assertEquals(Deletion.DELETED, room.repository.delete(asset.id()));

        room.keeper.start();

        Await.until(() -> room.repository.leftovers(1).isEmpty());
        assertFalse(Files.exists(room.folders.of(asset.id())));
    }

    @Test
    void copies_ofWhatAnotherNodeHasDeleted_areRemoved_butNoOtherFolders() throws Exception {
        Asset known = room.stored(AssetFixture.finished(1_000_000));
        AssetId deleted = AssetId.create();
        AssetId deletedBefore = AssetId.create();
        AssetId unmarked = AssetId.create();
        for (AssetId copy : List.of(known.id(), deleted, deletedBefore)) {
            room.folders.markCopy(copy);
            Files.writeString(room.folders.of(copy).resolve("index"), "any");
        }
        Files.createDirectories(room.folders.of(unmarked));

        room.keeper.changedElsewhere(known.id());
        room.keeper.changedElsewhere(deleted);
        room.keeper.changedElsewhere(unmarked);
        room.keeper.removeFiles();
        assertTrue(Files.exists(room.folders.of(known.id())));
        assertFalse(Files.exists(room.folders.of(deleted)));
        assertTrue(Files.exists(room.folders.of(unmarked)));

        room.newKeeper().start();
        assertTrue(Files.exists(room.folders.of(known.id())));
        assertFalse(Files.exists(room.folders.of(deletedBefore)));
        assertTrue(Files.exists(room.folders.of(unmarked)));
    }
}
