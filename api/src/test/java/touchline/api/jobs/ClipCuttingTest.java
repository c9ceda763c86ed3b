package touchline.api.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import touchline.api.asset.AssetFixture;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.media.ffmpeg.H264Encoder;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recording;
import touchline.packager.record.RigRecording;
import touchline.testing.Await;

/** Jobs of clips, on a host without an encoder: no worker process is started. */
final class ClipCuttingTest extends AssetJobsFixture {
    private static final long SECOND_US = 1_000_000;

    /** A pause from this time on is over at once. */
    private static final InstantSource LONG_AGO = InstantSource.fixed(Instant.EPOCH);

    ClipCuttingTest() {
        super(ClipCutting.class);
    }

    private ClipCutting cutting(InstantSource clock, Supplier<Optional<H264Encoder>> encoder) {
        ClipCutting cutting =
                new ClipCutting(
                        new ClipCutting.Dependencies(
                                room.keeper,
                                room.database(),
                                workers,
                                encoder,
                                () -> leastFreeBytes,
                                clock),
                        jobs,
                        /* places= */ 1);
        jobs.start();
        return cutting;
    }

    private ClipCutting cutting() {
        return cutting(InstantSource.system(), Optional::empty);
    }

    /** Two seconds with two key frames. */
    private Asset source() throws Exception {
        Asset source = room.stored(AssetFixture.finished(2 * SECOND_US));
        Recording _ = EncodedMedia.record(folder(source));
        return source;
    }

    private Asset clip(Asset source, double start, double end) {
        Asset clip =
                source.clip((long) (start * SECOND_US), (long) (end * SECOND_US), AssetFixture.NOW);
        room.repository.create(clip);
        return clip;
    }

    /** The first second of each source. */
    private Asset joined(Asset... sources) {
        List<AssetOrigin.Cut> ranges =
                List.of(sources).stream()
                        .map(source -> new AssetOrigin.Cut(source.id(), 0, SECOND_US))
                        .toList();
        Asset clip =
                sources[0].clip(new AssetOrigin.Joined(ranges), List.of(sources), AssetFixture.NOW);
        room.repository.create(clip);
        return clip;
    }

    private Path folder(Asset asset) {
        return room.folders.of(asset.id());
    }

    private AssetState stored(Asset asset) {
        return room.repository.find(asset.id()).orElseThrow().state();
    }

    private AssetState ended(Asset clip) {
        Await.until(() -> stored(clip).status() != AssetStatus.PREPARING);
        return stored(clip);
    }

    private void awaitNoJob() {
        Await.until(() -> !jobs.load(Instant.now()).containsKey("clip"));
    }

    private void assertFailed(Asset clip, String type, String message) {
        assertEquals(List.of(new AssetError(type, message)), ended(clip).errors());
        assertEquals(AssetStatus.ERRORED, stored(clip).status());
        assertFalse(Files.exists(folder(clip)));
    }

    @Test
    void clip_fromAKeyFrameOn_isExact() throws Exception {
        Asset clip = clip(source(), 1, 2);

        cutting().submit(clip);

        AssetState state = ended(clip);
        assertEquals(List.of(), state.errors());
        assertEquals(AssetStatus.READY, state.status());
        assertEquals(SECOND_US, state.durationUs(), 50_000);
        assertEquals(state.durationUs(), Recording.load(folder(clip)).durationUs());
        assertTrue(room.keeper.playbackIds().find(clip.playbackIds().getFirst().id()).isPresent());
    }

    @Test
    void clip_fromAnotherFrameOn_startsWithTheKeyFrame_andSaysSo() throws Exception {
        Asset clip = clip(source(), 1.4, 2);

        cutting().submit(clip);

        AssetState state = ended(clip);
        assertEquals(AssetStatus.READY, state.status());
        assertEquals(SECOND_US, state.durationUs(), 50_000);
        AssetError note = state.errors().getFirst();
        assertEquals(AssetError.CUT_AT_KEY_FRAME, note.type());
        assertTrue(note.message().startsWith("it starts with the key frame"), note::message);
    }

    @Test
    void clip_withoutAStoredJob_isSubmittedAtTheStart() throws Exception {
        Asset clip = joined(source(), source());

        cutting().start();

        assertEquals(2 * SECOND_US, ended(clip).durationUs(), 50_000);
    }

    @Test
    void clip_behindTheEnd_isEmpty() throws Exception {
        Asset clip = clip(source(), 5, 6);

        cutting().submit(clip);

        assertFailed(
                clip,
                AssetError.EMPTY_RANGE,
                "its source shows nothing from start_time to end_time");
    }

    @Test
    void clip_ofVideoAndAudio_namesTheRange() throws Exception {
        Asset audio = room.stored(AssetFixture.finished(5 * SECOND_US));
        PackagerRig rig = new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 0, true));
        rig.feed(TestMedia.timeline(0, 0, TestMedia.AUDIO)).feed(TestMedia.audio(0, 5_000));
        Recording _ = RigRecording.record(rig, folder(audio));
        Asset clip = joined(source(), audio);

        cutting().submit(clip);

        assertFailed(
                clip,
                AssetError.MIXED_MEDIA,
                "ranges[1] has video and ranges[0] has none, or the reverse");
    }

    @Test
    void clip_ofADamagedIndex_isUnreadable() throws Exception {
        Asset source = source();
        Files.writeString(folder(source).resolve(Recording.INDEX), "no index\n");
        Asset clip = joined(source(), source);

        cutting().submit(clip);

        assertFailed(clip, AssetError.UNREADABLE, "ranges[1]: its source: index line: no index");
    }

    @Test
    void clip_ofADeletedSource_namesIt() {
        Asset clip = clip(room.stored(AssetFixture.finished(2 * SECOND_US)), 0, 1);

        cutting().submit(clip);

        assertFailed(clip, AssetError.SOURCE_DELETED, "its source is not there any more");
    }

    @Test
    void clip_whoseFilesCannotBeRead_isGivenUpAfterSomeTries() throws Exception {
        Asset source = source();
        Recording recording = Recording.load(folder(source));
        Files.delete(folder(source).resolve(recording.segments().getFirst().fileName()));
        Asset clip = clip(source, 0, 1);

        cutting(LONG_AGO, Optional::empty).submit(clip);

        assertFailed(clip, AssetError.NOT_CUT, "it could not be cut in 4 tries");
        assertEquals(
                4,
                log.texts().stream()
                        .filter(line -> line.startsWith("asset=" + clip.id() + " is not cut: "))
                        .count());
    }

    @Test
    void clip_ofSeveralRanges_waitsForDiskSpace() throws Exception {
        leastFreeBytes = Long.MAX_VALUE / 2;
        Asset clip = joined(source(), source());

        cutting().submit(clip);

        Await.until(() -> log.texts().contains("asset=" + clip.id() + " waits for disk space"));
        assertEquals(AssetStatus.PREPARING, stored(clip).status());
    }

    @Test
    void clip_whileTheStoreIsAway_waitsForItsSource() throws Exception {
        store.isAway = true;
        room.newKeeper(store);
        Asset clip = clip(source(), 0, 1);

        cutting().submit(clip);

        Await.until(
                () ->
                        log.texts()
                                .contains(
                                        "asset=" + clip.id() + " waits for its source: S3: away"));
        assertEquals(AssetStatus.PREPARING, stored(clip).status());
    }

    @Test
    void clip_deletedWhileItIsCut_leavesNoFiles() throws Exception {
        Asset clip = clip(source(), 0.4, 1);
        Supplier<Optional<H264Encoder>> deleting =
                () -> {
                    assertEquals(Deletion.DELETED, room.keeper.delete(clip.id()));
                    return Optional.empty();
                };

        cutting(InstantSource.system(), deleting).submit(clip);

        Await.until(() -> room.repository.find(clip.id()).isEmpty());
        awaitNoJob();
        assertFalse(Files.exists(folder(clip)));
    }

    @Test
    void job_ofAClipThatIsDoneOrGone_doesNothing() throws Exception {
        Asset done = clip(source(), 0, 1).with(AssetFixture.finished(7));
        assertTrue(room.repository.update(done.id(), done.state()));
        Asset gone = source().clip(0, SECOND_US, AssetFixture.NOW);
        ClipCutting cutting = cutting();

        cutting.submit(done);
        cutting.submit(gone);

        awaitNoJob();
        assertEquals(AssetFixture.finished(7), stored(done));
        assertFalse(Files.exists(folder(gone)));
        assertEquals(List.of(), log.texts());
    }

    @Test
    void job_ofARecording_doesNothing() throws Exception {
        Asset recording = room.stored(AssetState.RECORDING);

        cutting().submit(recording);

        awaitNoJob();
        assertEquals(AssetState.RECORDING, stored(recording));
    }
}
