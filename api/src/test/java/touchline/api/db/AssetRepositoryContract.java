package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.db.FinishedAssets.Finished;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.domain.FilePlace;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.StreamDefinition;
import touchline.api.view.AssetView;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Contract of {@link AssetRepository} on any database. */
abstract class AssetRepositoryContract {
    private static final List<AssetError> ERRORS =
            List.of(
                    new AssetError(AssetError.LOW_SPACE, "free: 7 \"bytes\""),
                    new AssetError(AssetError.DISK, "ä\n"));

    private AssetRepository assets;
    private StreamRepository streams;
    private StreamDefinition stream;

    abstract Database database();

    @BeforeEach
    void empty() {
        for (String table : List.of("assets", "deleted_assets", "live_streams")) {
            database().with(handle -> handle.execute("DELETE FROM " + table));
        }
        assets = new AssetRepository(database(), AssetView::of);
        streams = new StreamRepository(database(), Samples.vault());
        stream = Samples.fullStream();
        streams.create(stream);
    }

    private Asset recording() {
        Asset asset = Asset.recording(stream, new SessionId("ses_1"), Samples.NOW);
        assets.create(asset);
        return asset;
    }

    /** A recording that was finished this many seconds after the others' time. */
    private Asset finished(int seconds, long sizeBytes) {
        Asset asset = recording();
        return changed(
                asset,
                AssetState.finished(
                        5_000_000, sizeBytes, List.of(), Samples.NOW.plusSeconds(seconds)));
    }

    private Asset changed(Asset asset, AssetState state) {
        assertTrue(assets.update(asset.id(), state));
        return asset.with(state);
    }

    private Asset clip(Asset source) {
        Asset clip = source.clip(1_500_000, 2_750_000, Samples.NOW);
        assets.create(clip);
        return clip;
    }

    @Test
    void find_recordingAndClip_comeBackEqual() {
        Asset recording = recording();
        Asset clip = clip(recording);

        assertEquals(Optional.of(recording), assets.find(recording.id()));
        assertEquals(Optional.of(clip), assets.find(clip.id()));
        assertEquals(Optional.empty(), assets.find(AssetId.create()));
        assertEquals(1_250_000, clip.state().durationUs());
    }

    @Test
    void find_clipOfSeveralRanges_comesBackEqual_andHoldsAllItsSources() {
        Asset first = recording();
        Asset second = recording();
        AssetOrigin.Joined ranges =
                new AssetOrigin.Joined(
                        List.of(
                                new AssetOrigin.Cut(second.id(), 3_000_000, 4_000_000),
                                new AssetOrigin.Cut(first.id(), 1_000_000, 2_500_000),
                                new AssetOrigin.Cut(second.id(), 0, 500_000)));
        Asset clip = second.clip(ranges, List.of(second, first, second), Samples.NOW);
        assets.create(clip);

        assertEquals(Optional.of(clip), assets.find(clip.id()));
        assertEquals(3_000_000, clip.state().durationUs());
        assertEquals(List.of(clip), assets.clipsToCut());
        assertTrue(assets.isBeingCut(first.id()));
        assertTrue(assets.isBeingCut(second.id()));
        assertFalse(assets.isBeingCut(clip.id()));

        changed(clip, AssetState.finished(3_000_000, 1, List.of(), Samples.NOW));
        assertFalse(assets.isBeingCut(first.id()));
        assertEquals(AssetRepository.Deletion.DELETED, assets.delete(clip.id()));
        assertEquals(Optional.empty(), assets.find(clip.id()));
    }

    @Test
    void recording_ofAStream_copiesItsLabelsAndPolicies() {
        Asset recording = recording();

        assertEquals(stream.settings().title(), recording.labels().title());
        assertEquals(stream.settings().userMetadata(), recording.labels().userMetadata());
        assertEquals(stream.settings().mp4Support(), recording.labels().mp4Support());
        assertEquals(
                stream.playbackIds().stream().map(PlaybackId::policy).toList(),
                recording.playbackIds().stream().map(PlaybackId::policy).toList());
        assertFalse(
                recording.playbackIds().stream().anyMatch(id -> stream.playbackIds().contains(id)));
    }

    @Test
    void update_everythingSet_comesBackEqual() {
        Asset asset =
                changed(
                        recording(),
                        new AssetState(
                                AssetStatus.READY,
                                /* live= */ false,
                                1L << 50,
                                1L << 51,
                                OptionalDouble.of(0.625),
                                ERRORS,
                                Optional.of(Samples.NOW.plusSeconds(9))));

        assertEquals(Optional.of(asset), assets.find(asset.id()));
        assertFalse(assets.update(AssetId.create(), asset.state()));
    }

    @Test
    void list_pagesAndStreams_newestFirst() {
        StreamDefinition other = Samples.stream();
        streams.create(other);
        List<Asset> ours = IntStream.range(0, 3).mapToObj(_ -> recording()).toList();
        Asset foreign = Asset.recording(other, new SessionId("ses_2"), Samples.NOW);
        assets.create(foreign);
        Asset clip = clip(ours.getFirst());

        Page<Asset> first = assets.list(AssetListing.ALL, new PageRequest(1, 2));
        Page<Asset> last = assets.list(AssetListing.ALL, new PageRequest(3, 2));
        assertEquals(List.of(clip, foreign), first.items());
        assertEquals(5, first.total());
        assertTrue(first.hasMore());
        assertEquals(List.of(ours.getFirst()), last.items());
        assertFalse(last.hasMore());
        assertEquals(
                List.of(clip, ours.get(2), ours.get(1), ours.getFirst()),
                assets.list(AssetListing.of(stream.id()), PageRequest.FIRST).items());
        assertEquals(
                0,
                assets.list(AssetListing.of(new StreamId("str_none")), PageRequest.FIRST).total());
    }

    @Test
    void list_bySearch_findsTheId() {
        Asset wanted = recording();
        recording();
        AssetListing listing =
                new AssetListing(
                        Optional.of(stream.id()),
                        Optional.empty(),
                        Optional.of(wanted.id().value().substring(4).toUpperCase(Locale.ROOT)));

        assertEquals(List.of(wanted), assets.list(listing, PageRequest.FIRST).items());
    }

    @Test
    void list_byKind_hasRecordingsOrClips() {
        Asset recording = recording();
        Asset clip = clip(recording);

        assertEquals(List.of(recording), listed(/* recorded= */ true));
        assertEquals(List.of(clip), listed(/* recorded= */ false));
        assertEquals(
                Map.of(session(recording), recording),
                new SessionRecordings(database())
                        .of(List.of(session(recording), new SessionId("ses_none"))));
    }

    private static SessionId session(Asset recording) {
        return ((AssetOrigin.Recorded) recording.origin()).session();
    }

    private List<Asset> listed(boolean recorded) {
        return assets.list(
                        new AssetListing(
                                Optional.of(stream.id()), Optional.of(recorded), Optional.empty()),
                        PageRequest.FIRST)
                .items();
    }

    @Test
    void streamDeleted_assetsStay() {
        Asset asset = recording();

        streams.delete(stream.id());

        assertEquals(
                List.of(asset),
                assets.list(AssetListing.of(stream.id()), PageRequest.FIRST).items());
    }

    @Test
    void recent_manyStreams_newestOfEachWithoutClips() {
        List<Asset> ours = IntStream.range(0, 3).mapToObj(_ -> recording()).toList();
        clip(ours.getFirst());
        StreamDefinition other = Samples.stream();
        Asset foreign = Asset.recording(other, new SessionId("ses_2"), Samples.NOW);
        assets.create(foreign);

        assertEquals(
                Map.of(
                        stream.id(),
                        List.of(ours.get(2).id(), ours.get(1).id()),
                        other.id(),
                        List.of(foreign.id())),
                assets.recent(List.of(stream.id(), other.id(), new StreamId("str_none")), 2));
        assertEquals(Map.of(), assets.recent(List.of(), 2));
    }

    @Test
    void create_recordingBehindAGap_staysThat() {
        Asset again = Asset.recordingAgain(stream, new SessionId("ses_1"), Samples.NOW);
        assets.create(again);
        Asset first = recording();

        assertEquals(again.origin(), assets.find(again.id()).orElseThrow().origin());
        assertEquals(first.origin(), assets.find(first.id()).orElseThrow().origin());
        assertNotEquals(first.origin(), again.origin());
    }

    @Test
    void delete_byState_keepsWhatIsRecordedAndNotesTheFiles() {
        Asset live = recording();
        Asset done = finished(1, 10);

        assertEquals(Deletion.LIVE, assets.delete(live.id()));
        assertEquals(Deletion.DELETED, assets.delete(done.id()));
        assertEquals(Deletion.NOT_FOUND, assets.delete(done.id()));

        assertEquals(Optional.empty(), assets.find(done.id()));
        assertEquals(List.of(live.id()), assets.all());
        assertEquals(List.of(done.id()), assets.leftovers(10));
        assets.removed(done.id());
        assertEquals(List.of(), assets.leftovers(10));
    }

    @Test
    void selections_atAStart_findWhatTheyName() {
        Asset preparing = recording();
        Asset growing =
                changed(
                        recording(),
                        new AssetState(
                                AssetStatus.READY,
                                /* live= */ true,
                                7,
                                7,
                                OptionalDouble.empty(),
                                List.of(),
                                Optional.empty()));
        Asset done = finished(1, 10);
        Asset failed = changed(recording(), AssetState.failed(ERRORS, Samples.NOW));
        List<AssetError> missing = List.of(new AssetError(AssetError.FILES_MISSING, "gone"));
        Asset lost = changed(recording(), AssetState.failed(missing, Samples.NOW));
        Asset clip = clip(done);

        assertEquals(List.of(growing, preparing), assets.live());
        assertEquals(List.of(done, growing), assets.playable());
        assertEquals(List.of(lost), assets.missing());
        assertEquals(List.of(clip), assets.clipsToCut());
        assertEquals(6, assets.all().size());
        assertTrue(assets.all().contains(failed.id()));
    }

    @Test
    void oldest_finishedLongEnough_longestFirst() {
        Asset second = finished(20, 200);
        Asset first = finished(10, 100);
        finished(30, 300);
        recording();

        FinishedAssets all = new FinishedAssets(database());
        for (boolean everywhere : new boolean[] {true, false}) {
            assertEquals(
                    List.of(
                            new Finished(
                                    first.id(), Samples.NOW.plusSeconds(10), 100, FilePlace.HERE),
                            new Finished(
                                    second.id(), Samples.NOW.plusSeconds(20), 200, FilePlace.HERE)),
                    all.oldest(everywhere, Samples.NOW.plusSeconds(30), 10));
            assertEquals(1, all.oldest(everywhere, Samples.NOW.plusSeconds(99), 1).size());
            assertEquals(600, all.totalBytes(everywhere));
        }
    }

    @Test
    void playbackId_ofAStreamOrAnAsset_isNeverTakenByTheOther() {
        Asset asset = recording();
        PlaybackId streams1 = stream.playbackIds().getFirst();
        Asset thief =
                new Asset(
                        AssetId.create(),
                        stream.id(),
                        asset.origin(),
                        asset.labels(),
                        List.of(PlaybackId.create(PlaybackPolicy.PUBLIC), streams1),
                        AssetState.RECORDING,
                        Samples.NOW);

        assertThrows(DatabaseException.class, () -> assets.create(thief));
        assertEquals(Optional.empty(), assets.find(thief.id()));
        assertThrows(
                DatabaseException.class,
                () -> streams.addPlaybackId(stream.id(), asset.playbackIds().getFirst()));
        assertEquals(stream.playbackIds(), streams.playbackIds(stream.id()));
    }
}
