package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.asset.AssetFixture;
import touchline.api.asset.FolderTree;
import touchline.api.asset.Renditions;
import touchline.api.db.ClusterRows;
import touchline.api.db.Database;
import touchline.api.db.Epoch;
import touchline.api.db.MemoryDatabase;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.media.SessionId;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.Recording;
import touchline.testing.LogLines;

/** Node A with recordings of node B, whose files are in a real S3 server. */
final class OtherNodesRecordingsIT extends StoredAssets {
    private static final Duration AFTER = Duration.ofMinutes(5);
    private static final SessionId SESSION = new SessionId("ses_1");

    private final List<AssetId> finished = new ArrayList<>();
    private boolean failing;
    private boolean stopping;

    @Override
    Database database() {
        return MemoryDatabase.openNode("node-a");
    }

    @BeforeEach
    void makeNodes() throws Exception {
        ClusterRows.prepare(room.database());
        ClusterRows.node(room.database(), "node-a", "http://a");
        ClusterRows.node(room.database(), "node-b", "http://b");
        room.sql("UPDATE nodes SET unbroken_since_ms = 0 WHERE id = 'node-a'");
        store.empty();
    }

    private void gone(Duration since) throws Exception {
        long endMs = System.currentTimeMillis() - since.toMillis();
        room.sql(
                "UPDATE nodes SET state = 'gone', lease_until_ms = %d WHERE id = 'node-b'"
                        .formatted(endMs));
    }

    /** Two segments in S3; this node has nothing of it. */
    private Asset stored(AssetState state) throws Exception {
        Asset asset = room.stored(AssetFixture.finished(2 * RecordedMedia.SEGMENT_US));
        Recording _ = RecordedMedia.write(folder(asset), 100, 2);
        uploadAll();
        FolderTree.remove(folder(asset));
        return ofNodeB(asset.with(state));
    }

    /** Nothing of it is known to be complete in S3. */
    private Asset ofNodeB(Asset asset) throws Exception {
        assertTrue(room.repository.update(asset.id(), asset.state()));
        room.sql(
                "UPDATE assets SET home = 'node-b', upload_begun_at_ms = 1, uploaded_at_ms = NULL"
                        + " WHERE id = '%s'".formatted(asset.id()));
        return asset;
    }

    private AbandonedRecordings abandoned() {
        return new AbandonedRecordings(
                room.abandoned,
                fetch.rebuilding(),
                asset -> {
                    if (failing) {
                        throw new IOException("of a test");
                    }
                    finished.add(asset);
                },
                counters,
                AFTER,
                () -> stopping);
    }

    private boolean isHere(Asset asset) {
        return fetch.isHere(asset.id());
    }

    @Test
    void recordingThatRan_isFinishedHere_whenItsNodeIsGoneLongEnough() throws Exception {
        Asset asset = stored(AssetState.RECORDING);
        AbandonedRecordings abandoned = abandoned();

        abandoned.look();
        gone(AFTER.minusMinutes(1));
        abandoned.look();
        assertEquals(List.of(), finished, "too early");
        assertFalse(isHere(asset));

        gone(AFTER.plusMinutes(1));
        abandoned.look();
        abandoned.look();

        assertEquals(List.of(asset.id()), finished);
        assertTrue(isHere(asset));
        assertEquals(1, counters.finishedRecordings());
    }

    @Test
    void finishedRecording_thatLacksItsEnd_waitsLonger() throws Exception {
        Asset whole = stored(AssetFixture.finished(2 * RecordedMedia.SEGMENT_US));
        Asset cut = stored(AssetFixture.finished(5 * RecordedMedia.SEGMENT_US));

        gone(AFTER.plusMinutes(1));
        abandoned().look();
        assertEquals(List.of(whole.id()), finished);

        gone(AFTER.multipliedBy(12).plusMinutes(1));
        abandoned().look();
        assertEquals(List.of(whole.id(), cut.id()), finished);
    }

    @Test
    void recordingWithoutObjects_andOfAStoreThatRefuses_isNotTaken() throws Exception {
        Asset empty = ofNodeB(room.stored(AssetState.RECORDING));
        gone(AFTER.multipliedBy(20));

        abandoned().look();
        assertFalse(isHere(empty));

        Asset asset = stored(AssetState.RECORDING);
        gate.refuseAll(403, "AccessDenied");
        try (LogLines log = LogLines.of(AbandonedRecordings.class)) {
            abandoned().look();
            assertTrue(
                    log.texts().stream()
                            .anyMatch(
                                    line ->
                                            line.startsWith(
                                                    "asset="
                                                            + asset.id()
                                                            + " of node node-b, which is gone, is"
                                                            + " not read: ")),
                    () -> log.texts().toString());
        }
        assertFalse(isHere(asset));
        assertEquals(List.of(), finished);
    }

    @Test
    void recordingThatCannotBeFinishedNow_isTriedAgain() throws Exception {
        Asset asset = stored(AssetState.RECORDING);
        gone(AFTER.plusMinutes(1));
        AbandonedRecordings abandoned = abandoned();
        failing = true;

        abandoned.look();
        assertTrue(isHere(asset), "it is this node's from now on");
        assertEquals(0, counters.finishedRecordings());

        failing = false;
        abandoned.look();
        assertEquals(List.of(asset.id()), finished);
        assertEquals(1, counters.finishedRecordings());
    }

    @Test
    void look_whileTheServerStops_takesNothing() throws Exception {
        Asset asset = stored(AssetState.RECORDING);
        gone(AFTER.plusMinutes(1));
        stopping = true;

        abandoned().look();

        assertFalse(isHere(asset));
    }

    @Test
    void recordingOfAnotherNode_goesOnHere_andLeavesNothingIfItMustNot() throws Exception {
        Asset asset =
                stored(
                        new AssetState(
                                AssetStatus.READY,
                                /* live= */ true,
                                1,
                                1,
                                OptionalDouble.empty(),
                                List.of(),
                                Optional.empty()));

        assertTrue(fetch.reopen(asset.id()).isPresent());
        assertTrue(Files.exists(folder(asset).resolve(Recording.INDEX)));
        assertFalse(fetch.takeOver(asset.id(), new SessionId("ses_2"), Epoch.ALONE));
        fetch.discard(asset.id());
        assertFalse(Files.exists(folder(asset)));

        assertTrue(fetch.reopen(asset.id()).isPresent());
        assertTrue(fetch.takeOver(asset.id(), SESSION, Epoch.ALONE));
        assertTrue(isHere(asset));
        assertTrue(fetch.isLeft(asset.id()), "no session goes on with it");
        assertEquals(Optional.empty(), fetch.reopen(asset.id()), "it is this node's");
        fetch.discard(asset.id());
        assertTrue(Files.exists(folder(asset)));
    }

    @Test
    void headOfARecordingThatIsNotWholeInS3_comesLater() throws Exception {
        Asset asset = stored(AssetFixture.finished(1));

        MediaAwayException away =
                assertThrows(MediaAwayException.class, () -> fetch.ensureHead(asset.id()));

        assertEquals(
                "the node that recorded " + asset.id() + " has not uploaded it yet",
                away.getMessage());
        assertFalse(fetch.isStored(asset.id()));
    }

    @Test
    void scaledCopyOfAnotherNode_comesWithoutItsMedia() throws Exception {
        Asset asset = finished();
        uploadAll();
        FolderTree.remove(folder(asset));
        fetch.ensureScaled(asset.id());
        assertFalse(Files.exists(folder(asset)), "no copy: what this node has is on its disk");
        fetch.ensureHead(asset.id());
        FolderTree.remove(folder(asset).resolve(Renditions.FOLDER));

        fetch.ensureScaled(asset.id());

        assertEquals(
                Set.of("index", "init0.mp4"), filesIn(folder(asset).resolve(Renditions.FOLDER)));
    }

    @Test
    void finishedAsset_withNewFiles_isUploadedAgain() throws Exception {
        Asset asset = finished();
        uploadAll();
        assertTrue(fetch.isStored(asset.id()));

        fetch.changed(asset.id());
        assertFalse(fetch.isStored(asset.id()));

        uploadAll();
        assertEquals(Set.of(asset.id()), fetch.stored());
        assertEquals(Duration.ofSeconds(15), fetch.continueWithin());
        assertTrue(fetch.sharesRecordings() && fetch.isRemote());
    }
}
