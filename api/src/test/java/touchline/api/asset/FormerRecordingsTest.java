package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.db.MemoryDatabase;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.home.RecordedMedia;
import touchline.packager.record.Recording;
import touchline.testing.Await;

/** Node A comes back; node B has finished its recordings meanwhile. */
final class FormerRecordingsTest {
    private static final int FIRST = 100;
    private static final int SEGMENTS = 4;

    @TempDir private Path root;

    private AssetFixture room;
    private AssetService.Dependencies parts;
    private final StoredElsewhere store = new StoredElsewhere();

    @BeforeEach
    void open() {
        room = new AssetFixture(root, MemoryDatabase.openNode("node-a"));
        parts = room.dependencies(store);
    }

    @AfterEach
    void close() {
        room.close();
    }

    /** An asset of node B, and four segments in the folder here. */
    private Asset recorded() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(RecordedMedia.SEGMENT_US));
        Recording _ = RecordedMedia.write(folder(asset), FIRST, SEGMENTS);
        room.sql("UPDATE assets SET home = 'node-b' WHERE id = '%s'".formatted(asset.id()));
        return asset;
    }

    /** Node B has brought all of it into the store, with so many segments. */
    private void stored(Asset asset, int segments) throws Exception {
        Recording whole = Recording.load(folder(asset));
        store.indexes.put(
                asset.id(),
                new Recording(
                        whole.inits(), whole.segments().subList(0, segments), /* ended= */ true));
        uploaded(asset);
    }

    private void uploaded(Asset asset) throws Exception {
        room.sql("UPDATE assets SET uploaded_at_ms = 5 WHERE id = '%s'".formatted(asset.id()));
    }

    private Path folder(Asset asset) {
        return room.folders.of(asset.id());
    }

    private FormerRecordings former(Asset... assets) {
        Map<AssetId, Boolean> elsewhere = new HashMap<>();
        for (Asset asset : assets) {
            elsewhere.put(asset.id(), false);
        }
        return new FormerRecordings(parts, elsewhere);
    }

    /** All but these. */
    private List<Asset> others(Asset... known) {
        List<AssetId> ids = List.of(known).stream().map(Asset::id).toList();
        return room.repository.all().stream()
                .filter(id -> !ids.contains(id))
                .map(id -> room.repository.find(id).orElseThrow())
                .toList();
    }

    private static List<Long> numbers(Path folder) throws Exception {
        return Recording.load(folder).segments().stream()
                .map(Recording.Segment::mediaSequence)
                .toList();
    }

    @Test
    void look_withoutAny_isDone() {
        FormerRecordings former = former();

        former.look();

        assertTrue(former.isDone());
    }

    @Test
    void look_copies_areLeftAlone() throws Exception {
        Asset asset = recorded();
        room.folders.markCopy(asset.id());

        assertTrue(former(asset).isDone());
    }

    @Test
    void look_nothingMissing_removesTheFolder() throws Exception {
        Asset asset = recorded();
        stored(asset, SEGMENTS);
        FormerRecordings former = former(asset);

        former.look();

        assertTrue(former.isDone());
        assertFalse(Files.exists(folder(asset)));
        assertEquals(List.of(), others(asset));
    }

    @Test
    void look_segmentsBehindTheEnd_becomeAnotherAssetOfTheSession() throws Exception {
        Asset asset = recorded();
        stored(asset, 1);
        FormerRecordings former = former(asset);

        former.look();

        assertTrue(former.isDone());
        assertFalse(Files.exists(folder(asset)));
        Asset rest = others(asset).getFirst();
        assertEquals(List.of(101L, 102L, 103L), numbers(folder(rest)));
        assertEquals(asset.stream(), rest.stream());
        AssetOrigin.Recorded origin = (AssetOrigin.Recorded) rest.origin();
        assertEquals(((AssetOrigin.Recorded) asset.origin()).session(), origin.session());
        assertFalse(origin.fromStart());
        assertEquals(
                AssetFixture.finished(
                        Recording.load(folder(rest)).durationUs(),
                        room.folders.sizeBytes(rest.id()),
                        AssetFixture.NOW),
                rest.state());
        assertEquals(3 * RecordedMedia.SEGMENT_US, rest.state().durationUs(), 250_000);
        assertTrue(
                parts.playbackIds().find(rest.playbackIds().getFirst().id()).isPresent(),
                "it can be played");
    }

    /** Node B has gone on with the recording: segments of this node's number are its own. */
    @Test
    void look_ofAContinuedRecording_comparesOnlyTheNumbersOfThisNode() throws Exception {
        Asset asset = recorded();
        room.folders.markContinued(asset.id());
        Recording whole = Recording.load(folder(asset));
        Recording.Segment later =
                new Recording.Segment(
                        500, 0, new Recording.Place(500, 0, 10), 0, RecordedMedia.SEGMENT_US, 1);
        store.indexes.put(
                asset.id(),
                new Recording(
                        whole.inits(),
                        List.of(whole.segments().get(0), whole.segments().get(1), later),
                        /* ended= */ true));
        uploaded(asset);

        former(asset).look();

        assertEquals(List.of(102L, 103L), numbers(folder(others(asset).getFirst())));
    }

    @Test
    void look_noSegmentIsThere_keepsAll() throws Exception {
        Asset asset = recorded();
        stored(asset, 0);

        former(asset).look();

        assertEquals(SEGMENTS, numbers(folder(others(asset).getFirst())).size());
    }

    @Test
    void look_beforeItIsStored_waits() throws Exception {
        Asset asset = recorded();
        FormerRecordings former = former(asset);

        former.look();
        assertFalse(former.isDone());
        assertTrue(Files.exists(folder(asset)));

        stored(asset, SEGMENTS);
        former.look();
        assertTrue(former.isDone());
    }

    @Test
    void look_whileTheStoreIsAway_isTriedAgain() throws Exception {
        Asset asset = recorded();
        stored(asset, SEGMENTS);
        store.isAway = true;
        FormerRecordings former = former(asset);

        former.look();
        assertFalse(former.isDone());
        assertTrue(Files.exists(folder(asset)));

        store.isAway = false;
        former.look();
        assertTrue(former.isDone());
        assertFalse(Files.exists(folder(asset)));
    }

    @Test
    void look_deletedMeanwhile_leavesTheFolderToTheNextStart() throws Exception {
        Asset asset = recorded();
        FormerRecordings former = former(asset);
        assertEquals(Deletion.DELETED, room.repository.delete(asset.id()));

        former.look();

        assertTrue(former.isDone());
        assertTrue(Files.exists(folder(asset)));
    }

    /** The server died between the row of the rest and the end of its files. */
    @Test
    void look_afterACrash_makesTheSameAsset() throws Exception {
        Asset asset = recorded();
        stored(asset, 2);
        AssetId rest = AssetId.create();
        Files.writeString(folder(asset).resolve("rest"), rest.value());
        room.repository.create(asset.rest(rest, AssetFixture.NOW));
        Files.createDirectories(room.folders.of(rest));
        Files.writeString(room.folders.of(rest).resolve("init0.mp4"), "torn");

        former(asset).look();

        assertEquals(List.of(rest), others(asset).stream().map(Asset::id).toList());
        assertEquals(List.of(102L, 103L), numbers(room.folders.of(rest)));
        assertFalse(room.repository.find(rest).orElseThrow().state().live());
    }

    /** The crash came after the rest was finished: only the folder is left. */
    @Test
    void look_afterACrashBehindTheEnd_onlyRemovesTheFolder() throws Exception {
        Asset asset = recorded();
        stored(asset, 2);
        AssetId rest = AssetId.create();
        Files.writeString(folder(asset).resolve("rest"), rest.value());
        AssetState finished = AssetFixture.finished(7);
        room.repository.create(asset.rest(rest, AssetFixture.NOW).with(finished));

        former(asset).look();

        assertFalse(Files.exists(folder(asset)));
        assertEquals(Optional.of(finished), room.repository.find(rest).map(Asset::state));
    }

    @Test
    void look_idThatIsNone_isNotUsed() throws Exception {
        Asset asset = recorded();
        stored(asset, 2);
        Files.writeString(folder(asset).resolve("rest"), "../../etc");

        former(asset).look();

        Asset rest = others(asset).getFirst();
        assertTrue(AssetId.isSafe(rest.id().value()));
        assertEquals(List.of(102L, 103L), numbers(folder(rest)));
    }

    /** What was recorded before the cluster is of the node that has the folder. */
    @Test
    void start_asANode_adoptsWhatHasNoHome_andComparesTheRest() throws Exception {
        Asset before = room.stored(AssetFixture.finished(RecordedMedia.SEGMENT_US));
        Files.createDirectories(folder(before));
        Asset withoutFolder = room.stored(AssetFixture.finished(RecordedMedia.SEGMENT_US));
        room.sql("UPDATE assets SET home = NULL");
        Asset former = recorded();
        stored(former, SEGMENTS);

        room.newKeeper(store).start();

        assertEquals(Optional.of("node-a"), room.repository.homeOf(before.id()));
        assertEquals(Optional.empty(), room.repository.homeOf(withoutFolder.id()));
        Await.until(() -> !Files.exists(folder(former)));
        assertTrue(Files.exists(folder(before)));
    }
}
