package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.AssetFiles.Rebuilt;
import touchline.api.asset.AssetFixture;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.FolderTree;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.storage.CountingBucket;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.Recording;
import touchline.packager.record.SegmentTail;
import touchline.testing.Await;

/** A recording that runs, in a real S3 server, and what is made of it when its disk is lost. */
final class GrowingUploadIT extends StoredAssets {
    @TempDir private static Path recorded;

    /** Of other nodes. Files of a failed rebuild may still come when a test has ended. */
    @TempDir private static Path others;

    private CountingBucket counted;
    private Asset asset;
    private GrowingRecording recorder;

    @BeforeAll
    static void record() throws IOException {
        GrowingRecording.record(recorded);
    }

    @BeforeEach
    void begin() throws Exception {
        counted = new CountingBucket(bucket);
        bucket = counted;
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
    }

    private void grow(int segments) {
        recorder.grow(segments);
        fetch.grown(asset.id());
    }

    private Set<String> tails(int from, int to) {
        Set<String> names = new TreeSet<>();
        for (Recording.Segment segment : recorder.recording().segments().subList(from, to)) {
            names.add("tail/" + new SegmentTail(segment).name());
        }
        return names;
    }

    private void awaitObjects(Set<String> expected) {
        Await.until(() -> objects(asset).equals(expected));
    }

    private static Set<String> and(Set<String> some, String... more) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(List.of(more));
        return all;
    }

    @Test
    void segments_areTailsUntilTheirFileIsThere_withOnePutEach() throws Exception {
        int full = recorder.firstFile();
        String first = recorder.recording().segments().getFirst().fileName();
        for (int segments = 1; segments < full; segments++) {
            grow(segments);
            int uploaded = segments;
            Await.until(() -> counters.uploadedTails() == uploaded);
        }
        awaitObjects(and(tails(0, full - 1), "init0.mp4"));

        grow(full);
        awaitObjects(Set.of("init0.mp4", "index", first));
        Await.until(() -> counters.deletedTails() == full - 1);
        grow(full + 1);
        awaitObjects(and(tails(full, full + 1), "init0.mp4", "index", first));

        // One a segment, and one for the file, for the index and for the init segment.
        assertEquals(full + 1 + 2, counted.puts.get());
        assertEquals(1, counted.lists.get());
        assertEquals(1, counted.deletes.get());
        assertTrue(counted.puts.get() <= 1.1 * (full + 1) + 1);
    }

    @Test
    void segmentsThatWait_areInTheBacklog_beforeTheirFileIsFull() throws Exception {
        grow(1);
        Await.until(() -> counters.uploadedTails() == 1);
        Uploader uploader = uploader();
        Await.until(() -> backlogAfterATurn(uploader) == 0);

        gate.refuseAll(503, "SlowDown");
        grow(3);
        long bytes =
                recorder.recording().segments().subList(1, 3).stream()
                        .mapToLong(segment -> segment.place().sizeBytes())
                        .sum();
        Await.until(() -> backlogAfterATurn(uploader) == bytes);

        gate.acceptAll();
        growing.grown(asset.id());
        Await.until(() -> backlogAfterATurn(uploader) == 0);
        assertEquals(3, counters.uploadedTails());
    }

    private long backlogAfterATurn(Uploader uploader) {
        try {
            boolean _ = uploader.turn();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        return counters.backlogBytes();
    }

    @Test
    void aRecordingThatHasEnded_hasItsFilesAndNoTails() throws Exception {
        int all = recorder.recording().segments().size();
        grow(all - 1);
        Await.until(() -> counters.uploadedTails() > 0);
        recorder.end();
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

        assertEquals(filesIn(recorded), objects(asset));
        assertTrue(counters.deletedTails() > 0);
        assertEquals(Set.of(), growing.assets());
    }

    @Test
    void withoutTails_onlyFullFilesAreUploaded() {
        growing.close();
        growing = growing(/* withTails= */ false);
        int full = recorder.firstFile();
        grow(full - 1);
        awaitObjects(Set.of("init0.mp4"));
        grow(full + 3);
        awaitObjects(
                Set.of(
                        "init0.mp4",
                        "index",
                        recorder.recording().segments().getFirst().fileName()));
        assertEquals(0, counters.uploadedTails());
    }

    @Test
    void whatALostDiskLeaves_isRebuiltUpToTheLastTail() throws Exception {
        int full = recorder.firstFile();
        int all = recorder.recording().segments().size();
        for (int segments : List.of(1, 7, full - 1, full, full + 1, all - 1)) {
            grow(segments);
            Await.until(() -> rebuilt().equals(Optional.of(recorder.upTo(segments))));
        }
    }

    /** A file was written, and the process was killed before it wrote the index. */
    @Test
    void aFileThatTheIndexLacks_isScanned() throws Exception {
        int full = recorder.firstFile();
        grow(full - 1);
        Await.until(() -> counters.uploadedTails() == full - 1);
        grow(full);
        awaitObjects(
                Set.of(
                        "init0.mp4",
                        "index",
                        recorder.recording().segments().getFirst().fileName()));
        bucket.delete(List.of(KEYS.of(asset.id(), "index")));
        assertEquals(Optional.of(recorder.upTo(full)), rebuilt());
    }

    /** The newest tails are there, and one before them is not. */
    @Test
    void segmentsBehindAHole_areLeftOut() throws Exception {
        grow(9);
        Await.until(() -> counters.uploadedTails() == 9);
        SegmentTail lost = new SegmentTail(recorder.recording().segments().get(6));
        bucket.delete(List.of(KEYS.of(asset.id(), "tail/" + lost.name())));

        assertEquals(Optional.of(recorder.upTo(6)), rebuilt());
    }

    @Test
    void faultsOfTheStore_leaveNothingWrong() throws Exception {
        int full = recorder.firstFile();
        gate.breakAfter(1_000);
        for (int segments = 1; segments <= full + 4; segments++) {
            if (segments % 40 == 7) {
                gate.answerBusy(3);
                gate.resetInTheMiddle(2);
            }
            if (segments == 30 || segments == full) {
                gate.refuseAll(500, "InternalError");
            }
            grow(segments);
            if (segments == 35 || segments == full + 3) {
                Await.until(() -> growing.failure().isPresent());
                gate.acceptAll();
            }
            if (segments % 50 == 0) {
                Optional<Recording> found = rebuilt();
                int there = found.map(it -> it.segments().size()).orElse(0);
                assertTrue(there <= segments);
                assertTrue(there == 0 || found.equals(Optional.of(recorder.upTo(there))));
            }
        }
        Await.until(() -> rebuilt().equals(Optional.of(recorder.upTo(full + 4))));
        // Files and segments have loops of their own: one may still pause when the other has
        // everything.
        Await.until(() -> growing.failure().isEmpty());
    }

    @Test
    void aRebuildThatWasCutOff_beginsAgain() throws Exception {
        grow(20);
        Await.until(() -> counters.uploadedTails() == 20);
        growing.close();
        FolderTree.remove(folder(asset));
        String tail =
                KEYS.of(
                        asset.id(),
                        "tail/" + new SegmentTail(recorder.recording().segments().get(11)).name());
        Path good = root.resolve("good");
        store.download(tail, good);
        byte[] damaged = Files.readAllBytes(good);
        damaged[100] ^= 1;
        store.replace(tail, damaged);
        assertThrows(MediaAwayException.class, () -> fetch.rebuild(asset.id()));
        assertTrue(room.folders.isCopy(asset.id()));
        assertFalse(Files.exists(folder(asset).resolve("index")));

        store.replace(tail, Files.readAllBytes(good));
        Rebuilt rebuilt = fetch.rebuild(asset.id()).orElseThrow();

        assertEquals(recorder.upTo(20), Recording.load(folder(asset)));
        assertEquals(recorder.upTo(20).durationUs(), rebuilt.durationUs());
        Recording.Segment last = recorder.upTo(20).segments().getLast();
        long endBytes = last.place().offsetBytes() + last.place().sizeBytes();
        assertArrayEquals(
                Arrays.copyOf(
                        Files.readAllBytes(recorded.resolve(last.fileName())), (int) endBytes),
                Files.readAllBytes(folder(asset).resolve(last.fileName())));
        assertEquals(endBytes + Files.size(recorded.resolve("init0.mp4")), rebuilt.sizeBytes());
        assertEquals(
                Set.of("from-s3", "index", "init0.mp4", last.fileName()), filesIn(folder(asset)));
    }

    /** What is complete when the server stops is brought away before it ends. */
    @Test
    void aStop_waitsForWhatIsComplete() throws Exception {
        gate.refuseAll(503, "SlowDown");
        grow(5);
        Await.until(() -> growing.failure().isPresent());
        gate.acceptAll();
        growing.close();
        growing = growing(/* withTails= */ true);
        grow(6);
        growing.close();

        assertEquals(and(tails(0, 6), "init0.mp4"), objects(asset));
    }

    @Test
    void objectsOfADeletedRecording_goWithItsTails() throws Exception {
        grow(4);
        Await.until(() -> counters.uploadedTails() == 4);
        growing.close();
        assertTrue(room.repository.update(asset.id(), AssetFixture.finished(10_000_000)));
        assertEquals(Deletion.DELETED, room.repository.delete(asset.id()));

        Instant later = Instant.now().plus(Duration.ofHours(2));
        new ObjectRemover(room.uploads, bucket, KEYS, Duration.ofHours(1), () -> later).removeDue();

        assertEquals(Set.of(), objects(asset));
    }

    @Test
    void withoutObjects_nothingIsRebuilt() throws Exception {
        assertEquals(Optional.empty(), fetch.rebuild(asset.id()));
    }

    /** Of another node. Empty while nothing can be read. */
    private Optional<Recording> rebuilt() {
        try {
            Path other = Files.createTempDirectory(others, "other");
            Fetch.Dependencies parts =
                    new Fetch.Dependencies(
                            new AssetFolders(other),
                            room.uploads,
                            room.abandoned,
                            bucket,
                            KEYS,
                            new HomeCounters(),
                            uses,
                            () -> 0,
                            /* parallel= */ 4,
                            /* continueWithin= */ Duration.ofSeconds(15));
            Optional<Rebuilt> found = new Fetch(parts, _ -> {}).rebuild(asset.id());
            return found.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Recording.load(other.resolve(asset.id().value())));
        } catch (MediaAwayException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
