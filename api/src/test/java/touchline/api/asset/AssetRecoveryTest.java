package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.home.RecordedMedia;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.ContinuedRecording;
import touchline.packager.record.Recording;
import touchline.testing.Await;
import touchline.testing.LogLines;

/** What a start makes of recordings that a crash has cut off, or whose disk is lost. */
final class AssetRecoveryTest {
    private static final AssetFiles.Rebuilt REBUILT =
            new AssetFiles.Rebuilt(/* durationUs= */ 8_000_000, /* sizeBytes= */ 500);

    @TempDir private Path root;

    private AssetFixture room;
    private final StoredElsewhere store = new StoredElsewhere();
    private final LogLines log = LogLines.of(AssetRecovery.class);

    @BeforeEach
    void open() {
        room = new AssetFixture(root);
    }

    @AfterEach
    void close() {
        log.close();
        room.close();
    }

    private AssetState stored(Asset asset) {
        return room.repository.find(asset.id()).orElseThrow().state();
    }

    private boolean isOpen(Asset asset) {
        return room.keeper.playbackIds().find(asset.playbackIds().getFirst().id()).isPresent();
    }

    private Path folder(Asset asset) {
        return room.folders.of(asset.id());
    }

    /** Starts the service, and waits until the recording is finished. */
    private AssetState started(Asset asset) {
        room.newKeeper(store).start();
        Await.until(() -> !stored(asset).live());
        return stored(asset);
    }

    private void awaitLine(String start) {
        Await.until(() -> log.texts().stream().anyMatch(line -> line.startsWith(start)));
    }

    @Test
    void start_recordingOfALostDisk_isFinishedFromTheStore() {
        Asset asset = room.stored(AssetState.RECORDING);
        store.rebuilt.put(asset.id(), REBUILT);

        AssetState state = started(asset);

        assertEquals(AssetFixture.finished(8_000_000, 500, AssetFixture.NOW), state);
        assertTrue(isOpen(asset));
    }

    @Test
    void start_recordingThatWasNeverStored_isErrored() {
        AssetState state = started(room.stored(AssetState.RECORDING));

        assertEquals(AssetStatus.ERRORED, state.status());
        assertEquals(AssetError.NOTHING_RECORDED, state.errors().getFirst().type());
    }

    @Test
    void start_whileTheStoreIsAway_decidesNothing() {
        Asset asset = room.stored(AssetState.RECORDING);
        store.isAway = true;

        room.newKeeper(store).start();
        awaitLine("asset=" + asset.id() + " is not finished yet: S3: away");

        assertEquals(AssetState.RECORDING, stored(asset));
        // In this order: the recovery may look again at any moment.
        store.rebuilt.put(asset.id(), REBUILT);
        store.isAway = false;
        assertEquals(AssetStatus.READY, started(asset).status());
    }

    /** Files of the store in the folder do not show how long the recording was. */
    @Test
    void start_copyThatIsNotWhole_isFinishedFromTheStore() throws Exception {
        Asset asset = room.stored(AssetState.RECORDING);
        room.folders.markCopy(asset.id());
        Recording _ = RecordedMedia.write(folder(asset), 100, 1);
        store.rebuilt.put(asset.id(), REBUILT);

        assertEquals(8_000_000, started(asset).durationUs());
    }

    @Test
    void start_lostFilesThatAreInTheStore_areNotLost() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(5_000_000));
        room.keeper.start();
        Await.until(() -> stored(asset).status() == AssetStatus.ERRORED);
        store.stored.add(asset.id());

        room.newKeeper(store).start();

        Await.until(() -> stored(asset).status() == AssetStatus.READY);
        assertEquals(AssetFixture.finished(5_000_000), stored(asset));
        assertTrue(isOpen(asset));
    }

    @Test
    void start_crashedRecording_hasWhatItsFilesHave() throws Exception {
        Asset asset = room.stored(AssetState.RECORDING);
        Recording whole = RecordedMedia.write(folder(asset), 100, 2);
        Files.delete(folder(asset).resolve(Recording.INDEX));

        AssetState state = started(asset);

        assertEquals(AssetStatus.READY, state.status());
        assertEquals(whole.durationUs(), state.durationUs(), 250_000);
        assertTrue(Recording.load(folder(asset)).ended());
    }

    /** The new index cannot be written, as on a full disk. */
    @Test
    void start_indexThatCannotBeWritten_usesTheOneOfTheRecording() throws Exception {
        Asset asset = room.stored(AssetState.RECORDING);
        Recording whole = RecordedMedia.write(folder(asset), 100, 2);
        Files.createDirectory(folder(asset).resolve(Recording.INDEX + ".tmp"));

        AssetState state = started(asset);

        assertEquals(AssetStatus.READY, state.status());
        assertEquals(whole.durationUs(), state.durationUs());
        awaitLine(asset.id() + ": its index was not rebuilt: ");
    }

    @Test
    void start_recordingThatAnotherNodeHasBegun_hasTheFilesInTheStoreToo() throws Exception {
        Asset asset = room.stored(AssetState.RECORDING);
        Recording whole = RecordedMedia.write(folder(asset), 100, 2);
        room.folders.markContinued(asset.id());
        Path media = folder(asset).resolve(whole.segments().getFirst().fileName());
        Files.delete(media);

        AssetState state = started(asset);

        assertEquals(
                AssetFixture.finished(
                        whole.durationUs(),
                        ContinuedRecording.sizeBytes(whole, folder(asset)),
                        AssetFixture.NOW),
                state);
    }

    @Test
    void start_damagedIndexOfAContinuedRecording_isErroredWithTheReason() throws Exception {
        Asset asset = room.stored(AssetState.RECORDING);
        Recording _ = RecordedMedia.write(folder(asset), 100, 1);
        room.folders.markContinued(asset.id());
        Files.writeString(folder(asset).resolve(Recording.INDEX), "no index\n");

        AssetState state = started(asset);

        assertEquals(AssetStatus.ERRORED, state.status());
        assertEquals(AssetError.UNREADABLE, state.errors().getFirst().type());
        assertTrue(state.errors().getFirst().message().startsWith("its files could not be read: "));
    }

    @Test
    void start_databaseFails_theEndIsStoredAsSoonAsItAnswers() {
        Asset asset = room.stored(AssetState.RECORDING);
        store.rebuilt.put(asset.id(), REBUILT);
        store.beforeRebuild = () -> sql("ALTER TABLE assets RENAME TO away");

        room.newKeeper(store).start();
        awaitLine("asset=" + asset.id() + " is not stored, will be tried again: ");
        sql("ALTER TABLE away RENAME TO assets");

        Await.until(() -> !stored(asset).live());
        assertEquals(8_000_000, stored(asset).durationUs());
    }

    @Test
    void start_diskThatIsNotMounted_losesNothing() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(5_000_000));
        Path away = root.resolveSibling(root.getFileName() + "-away");
        Recording whole = RecordedMedia.write(folder(asset), 100, 1);
        Files.move(root, away);

        room.newKeeper(store).start();
        Await.until(() -> stored(asset).status() == AssetStatus.ERRORED);
        assertEquals(AssetError.FILES_MISSING, stored(asset).errors().getFirst().type());
        assertTrue(log.texts().getFirst().startsWith("cannot list the asset folders: "));

        Files.move(away, root);
        room.newKeeper(store).start();
        Await.until(() -> stored(asset).status() == AssetStatus.READY);
        assertEquals(whole.durationUs(), stored(asset).durationUs(), 250_000);
    }

    @Test
    void finish_whatNothingRecordsAnyMore_isDoneAtOnce() throws Exception {
        Asset rebuilt = room.stored(AssetState.RECORDING);
        Asset lost = room.stored(AssetFixture.finished(5_000_000));
        store.rebuilt.put(rebuilt.id(), REBUILT);
        AssetService keeper = room.newKeeper(store);

        keeper.finish(rebuilt.id());
        keeper.finish(lost.id());
        keeper.finish(AssetId.create());

        assertEquals(AssetFixture.finished(8_000_000, 500, AssetFixture.NOW), stored(rebuilt));
        assertTrue(isOpen(rebuilt));
        assertEquals(AssetError.FILES_MISSING, stored(lost).errors().getFirst().type());
        assertEquals(5_000_000, stored(lost).durationUs());
        assertFalse(isOpen(lost));
    }

    @Test
    void finish_whileTheStoreIsAway_fails() {
        Asset asset = room.stored(AssetState.RECORDING);
        store.isAway = true;
        AssetService keeper = room.newKeeper(store);

        assertThrows(MediaAwayException.class, () -> keeper.finish(asset.id()));

        assertEquals(List.of(AssetState.RECORDING), List.of(stored(asset)));
    }

    private void sql(String statement) {
        try {
            room.sql(statement);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
