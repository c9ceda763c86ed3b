package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.AssetFiles.Rebuilt;
import touchline.api.asset.AssetFixture;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.FolderTree;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.media.SessionId;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.CountedMemory;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.StoredWindow;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;
import touchline.packager.record.Recording.Segment;
import touchline.testing.Await;

/** A recording of a node that has ended goes on at another one, from what is in S3. */
final class ReopenedRecordingIT extends StoredAssets {
    private static final long FIRST_NUMBER = 900;
    private static final int FIRST_INIT = 8;

    @TempDir private static Path recorded;

    /** Of a third node. */
    @TempDir private Path third;

    private Asset asset;
    private GrowingRecording recorder;

    @BeforeAll
    static void record() throws IOException {
        GrowingRecording.record(recorded);
    }

    /** A full file is in S3, and some segments of the next one. */
    @BeforeEach
    void lose() throws Exception {
        growing.close();
        growing = growing(/* withTails= */ true);
        fetch = fetch(/* leastFreeBytes= */ 0);
        asset =
                room.stored(
                        new AssetState(
                                AssetStatus.READY,
                                /* live= */ true,
                                1_000_000,
                                1_000,
                                OptionalDouble.empty(),
                                List.of(),
                                Optional.empty()));
        recorder = new GrowingRecording(recorded, folder(asset));
        int stored = recorder.firstFile() + 3;
        grow(recorder.firstFile());
        Await.until(() -> objects(asset).contains("index"));
        grow(stored);
        Await.until(() -> tails() == 3);
        growing.close();
        growing = growing(/* withTails= */ true);
    }

    private void grow(int segments) {
        recorder.grow(segments);
        fetch.grown(asset.id());
    }

    private long tails() {
        return objects(asset).stream().filter(name -> name.startsWith("tail/")).count();
    }

    /** Of numbers from {@link #FIRST_NUMBER} on; those of before are lower. */
    private long newTails() {
        return objects(asset).stream().filter(name -> name.startsWith("tail/9")).count();
    }

    private Recording before() {
        return recorder.upTo(recorder.firstFile() + 3);
    }

    private Optional<Rebuilt> reopen() throws IOException {
        return fetch.rebuilding().reopen(asset.id());
    }

    /** What this node adds, behind a discontinuity and with other numbers. */
    private void goOn(int seconds) throws IOException {
        room.folders.markContinued(asset.id());
        CountedMemory memory = new CountedMemory();
        LiveWindow window =
                LiveWindow.resume(
                        PackagerRig.settings(LatencyProfile.standard(), FIRST_NUMBER, true),
                        memory,
                        StoredWindow.elsewhere(
                                new StoredWindow.Targets(4, 1_000_000, FIRST_INIT),
                                0,
                                3_600_000_000L,
                                TestMedia.START.plusSeconds(3_600),
                                FIRST_INIT,
                                1));
        PackagerRig rig = new PackagerRig(window, memory);
        rig.feed(TestMedia.timeline(1, 3_600_000, TestMedia.videoAt(5)))
                .feed(TestMedia.video(new TestMedia.Video(5, 10, 3_600_000, seconds * 1_000L)));
        try (Recorder reopened =
                Recorder.reopen(
                        new Recorder.Settings(
                                new SessionId("session-1"),
                                folder(asset),
                                Recorder.Purpose.RECORDING,
                                /* minFreeBytes= */ 0L),
                        window,
                        new Recorder.Listener() {
                            @Override
                            public void segmentStored(Segment segment) {
                                fetch.grown(asset.id());
                            }
                        })) {
            rig.run(PublishBarrier.OPEN, List.of(reopened));
        }
        window.close();
        assertEquals(0, memory.liveBlocks());
    }

    private static List<Segment> both(Recording before, Recording after) {
        List<Segment> all = new ArrayList<>(before.segments());
        all.addAll(
                after.segments().stream()
                        .filter(segment -> segment.mediaSequence() >= FIRST_NUMBER)
                        .toList());
        return all;
    }

    @Test
    void reopened_isWhatS3Has_andGrowsBehindIt() throws Exception {
        FolderTree.remove(folder(asset));

        Rebuilt rebuilt = reopen().orElseThrow();

        assertEquals(before().durationUs(), rebuilt.durationUs());
        Recording open = Recording.load(folder(asset));
        assertEquals(before().segments(), open.segments());
        assertFalse(open.ended());
        assertTrue(room.folders.isCopy(asset.id()));
        String first = before().segments().getFirst().fileName();
        assertFalse(Files.exists(folder(asset).resolve(first)), "it stays in S3");

        goOn(20);

        assertFalse(room.folders.isCopy(asset.id()));
        assertTrue(room.folders.isContinued(asset.id()));
        Recording whole = Recording.load(folder(asset));
        assertEquals(both(before(), whole), whole.segments());
        assertTrue(whole.ended());
        int more = whole.segments().size() - before().segments().size();
        assertTrue(more >= 4, () -> more + " segments");
        // The file that was merged of tails is whole now, and the index says so.
        String merged = before().segments().getLast().fileName();
        Await.until(() -> objects(asset).contains(merged) && tails() == more && newTails() == more);

        // The second node is lost too.
        Fetch other =
                new Fetch(
                        new Fetch.Dependencies(
                                new AssetFolders(third),
                                room.uploads,
                                room.abandoned,
                                bucket,
                                KEYS,
                                new HomeCounters(),
                                uses,
                                () -> 0,
                                /* parallel= */ 4,
                                /* continueWithin= */ Duration.ofSeconds(15)),
                        _ -> {});
        Rebuilt again = other.rebuild(asset.id()).orElseThrow();
        assertEquals(whole, Recording.load(third.resolve(asset.id().value())));
        assertEquals(whole.durationUs(), again.durationUs());
    }

    @Test
    void finished_hasAllObjects_andNoTails() throws Exception {
        FolderTree.remove(folder(asset));
        Rebuilt _ = reopen().orElseThrow();
        goOn(20);
        Recording whole = Recording.load(folder(asset));
        assertTrue(room.repository.update(asset.id(), AssetFixture.finished(10_000_000)));

        Uploader uploader = uploader();
        Await.until(
                () -> {
                    try {
                        boolean _ = uploader.turn();
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return room.uploads.isUploaded(asset.id());
                });

        assertEquals(0, tails());
        whole.segments()
                .forEach(segment -> assertTrue(objects(asset).contains(segment.fileName())));
        assertEquals(whole, fetch.storedIndex(asset.id()));
        fetch.ensure(
                asset.id(),
                whole.segments().stream()
                        .map(segment -> folder(asset).resolve(segment.fileName()))
                        .distinct()
                        .toList());
        assertEquals(
                whole.segments(), Recording.rebuild(folder(asset)).segments(), "media and index");
    }

    /** It has recorded the beginning itself, and was only started again. */
    @Test
    void folderOfAnEarlierTime_isMadeAnew_whereS3HasAllOfIt() throws Exception {
        Files.createFile(folder(asset).resolve("old"));

        Rebuilt rebuilt = reopen().orElseThrow();

        assertEquals(before().durationUs(), rebuilt.durationUs());
        assertFalse(Files.exists(folder(asset).resolve("old")));
    }

    @Test
    void folderOfAnEarlierTime_withMoreThanS3Has_isLeftAlone() throws Exception {
        recorder.grow(recorder.firstFile() + 5);
        Set<String> files = filesIn(folder(asset));

        assertEquals(Optional.empty(), reopen());

        assertEquals(files, filesIn(folder(asset)));
        assertFalse(room.folders.isCopy(asset.id()));
    }

    @Test
    void storeThatIsAway_isAnError_andNothingIsThere() throws Exception {
        FolderTree.remove(folder(asset));
        gate.refuseAll(503, "SlowDown");

        try {
            Optional<Rebuilt> found = reopen();
            throw new AssertionError(found);
        } catch (MediaAwayException _) {
            assertFalse(Files.exists(folder(asset)));
        } finally {
            gate.acceptAll();
        }
    }
}
