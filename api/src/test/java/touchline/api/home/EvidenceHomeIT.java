package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.Evidence;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.storage.StorageException;
import touchline.media.store.DiskSpace;
import touchline.packager.hls.MediaAwayException;
import touchline.testing.Await;

/** Evidence frames in a real S3 server, with broken connections and wrong objects. */
final class EvidenceHomeIT extends StoredAssets {
    @TempDir private Path copies;

    private FrameFetch frameFetch;

    @BeforeEach
    void openFetch() {
        frameFetch = frameFetch(/* leastFreeBytes= */ 0);
    }

    @AfterEach
    void empty() {
        store.empty();
    }

    private FrameFetch frameFetch(long leastFreeBytes) {
        return new FrameFetch(
                new FrameFetch.Dependencies(
                        copies,
                        bucket,
                        KEYS,
                        counters,
                        () -> leastFreeBytes,
                        () -> now,
                        /* parallel= */ 4));
    }

    private static FrameContent content(String jpeg) {
        return FrameContent.of(jpeg.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(CompletableFuture<Path> coming) throws Exception {
        return Files.readString(coming.join());
    }

    private Throwable failure(FrameName frame, FrameContent content) {
        CompletableFuture<Path> coming = frameFetch.bring(frame, content);
        return Objects.requireNonNull(
                assertThrows(CompletionException.class, coming::join).getCause());
    }

    @Test
    void aFrame_comesBackByteForByte_onceForAllThatWait() throws Exception {
        FrameName frame = frame("JPEG 1");
        uploadFrames();
        assertEquals(List.of(KEYS.of(frame)), store.keys());
        assertTrue(room.evidence.find(frame).orElseThrow().stored());

        List<CompletableFuture<Path>> coming = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            coming.add(frameFetch.bring(frame, content("JPEG 1")));
        }

        for (CompletableFuture<Path> each : coming) {
            assertEquals("JPEG 1", read(each));
        }
        assertEquals(1, counters.fetchedFiles());
        assertEquals(Set.of(frame + ".jpg"), filesIn(copies));
        // Uploaded once.
        uploadFrames();
        assertEquals(1, counters.uploadedFiles());
    }

    @Test
    void whileTheStoreIsAway_framesWait_andFollow() throws Exception {
        gate.refuseAll(503, "SlowDown");
        FrameName first = frame("JPEG 1");
        FrameName second = frame("JPEG 2");
        FrameUploader uploader = frameUploader();

        assertThrows(StorageException.class, uploader::turn);

        assertEquals(2, counters.waitingFrames());
        assertEquals(12, counters.backlogBytes());
        now = now.plusSeconds(400);
        assertEquals(400_000, counters.backlogAgeMs(now.toEpochMilli()));
        assertEquals(List.of(), store.keys());

        bucket.close();
        bucket = bucket(store.endpoint());
        uploadFrames();
        assertEquals(Set.of(KEYS.of(first), KEYS.of(second)), Set.copyOf(store.keys()));
        assertEquals(0, counters.waitingFrames());
        assertEquals(0, counters.backlogAgeMs(now.toEpochMilli()));
    }

    @Test
    void anUploaderThatRuns_takesANewFrameAtOnce() throws Exception {
        RecordingHome home = new RecordingHome(dependencies());
        home.startUploads();
        FrameName frame = frame("JPEG 1");
        home.frames().recorded();

        Await.until(() -> room.evidence.find(frame).orElseThrow().stored());
        assertEquals(List.of(KEYS.of(frame)), store.keys());
        home.close();
        bucket = bucket(gate.endpoint());
    }

    @Test
    void aFileThatIsGoneOrDamaged_waits_andDelaysNoOther() throws Exception {
        FrameName gone = frame("JPEG 1");
        FrameName damaged = frame("JPEG 2");
        FrameName whole = frame("JPEG 3");
        assertTrue(evidence.delete(gone));
        evidence.put(damaged, "JPEG !".getBytes(StandardCharsets.UTF_8));
        FrameUploader uploader = frameUploader();

        assertFalse(uploader.turn());
        assertEquals(List.of(KEYS.of(whole)), store.keys());
        assertEquals(2, counters.waitingFrames());
        assertEquals(2, counters.unreadableFrames());

        evidence.put(gone, "JPEG 1".getBytes(StandardCharsets.UTF_8));
        assertFalse(uploader.turn());
        assertEquals(2, counters.waitingFrames());
        now = now.plusSeconds(60);
        assertFalse(uploader.turn());
        assertEquals(1, counters.waitingFrames());
        assertTrue(store.keys().contains(KEYS.of(gone)));
    }

    @Test
    void otherContent_andOtherLength_areNeverServed() throws Exception {
        String jpeg = "JPEG 1";
        FrameName frame = frame(jpeg);
        uploadFrames();
        for (String other : List.of("JPEG 2", "JPEG", "", "JPEG 1 and more")) {
            store.replace(KEYS.of(frame), other.getBytes(StandardCharsets.UTF_8));
            assertInstanceOf(MediaAwayException.class, failure(frame, content(jpeg)), other);
        }
        // With a checksum of its own, as another program would put it.
        Path wrong = Files.writeString(root.resolve("wrong.jpg"), "JPEG 2");
        bucket.put(KEYS.of(frame), wrong, "image/jpeg");
        assertInstanceOf(MediaAwayException.class, failure(frame, content(jpeg)));
        assertEquals(Set.of(), filesIn(copies));
        assertEquals(5, counters.fetchFailures());

        store.replace(KEYS.of(frame), jpeg.getBytes(StandardCharsets.UTF_8));
        bucket.put(
                KEYS.of(frame), Files.writeString(root.resolve("right.jpg"), jpeg), "image/jpeg");
        assertEquals(jpeg, read(frameFetch.bring(frame, content(jpeg))));
    }

    @Test
    void aMissingObject_isAnotherFailureThanAnAbsentStore() throws Exception {
        FrameName frame = frame("JPEG 1");
        uploadFrames();
        assertInstanceOf(NoSuchFileException.class, failure(FrameName.create(), content("JPEG 1")));
        assertInstanceOf(
                MediaAwayException.class,
                failure(frame, new FrameContent(1L << 40, content("JPEG 1").checksum())));
        frameFetch = frameFetch(/* leastFreeBytes= */ Long.MAX_VALUE);
        assertInstanceOf(MediaAwayException.class, failure(frame, content("JPEG 1")));

        frameFetch = frameFetch(/* leastFreeBytes= */ 0);
        gate.refuseAll(500, "InternalError");
        assertInstanceOf(MediaAwayException.class, failure(frame, content("JPEG 1")));
    }

    @Test
    void aCopy_leavesAnHourAfterItsLastUse() throws Exception {
        FrameName used = frame("JPEG 1");
        FrameName unused = frame("JPEG 2");
        uploadFrames();
        read(frameFetch.bring(used, content("JPEG 1")));
        read(frameFetch.bring(unused, content("JPEG 2")));
        now = now.plusSeconds(3_000);
        read(frameFetch.bring(used, content("JPEG 1")));
        now = now.plusSeconds(601);

        frameFetch.trim();

        assertEquals(Set.of(used + ".jpg"), filesIn(copies));
        assertEquals(2, counters.fetchedFiles());
    }

    @Test
    void copies_haveALimit_atWhichTheLongestUnusedLeaves() throws Exception {
        FrameName frame = frame("JPEG 1");
        uploadFrames();
        sparse("old.jpg", 200L << 20, now.minusSeconds(300));
        sparse("new.jpg", 100L << 20, now.minusSeconds(10));

        read(frameFetch.bring(frame, content("JPEG 1")));
        assertEquals(Set.of("new.jpg", frame + ".jpg"), filesIn(copies));

        // Both are in use: a moment ago they were asked for.
        sparse("other.jpg", 200L << 20, now.minusSeconds(10));
        FrameName next = frame("JPEG 2");
        uploadFrames();
        assertInstanceOf(MediaAwayException.class, failure(next, content("JPEG 2")));
    }

    private void sparse(String name, long bytes, Instant usedAt) throws Exception {
        Path file = copies.resolve(name);
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(bytes);
        }
        Files.setLastModifiedTime(file, FileTime.from(usedAt));
    }

    @Test
    void theObjectOfADeletedFrame_goesAfterItsTime() throws Exception {
        FrameName deleted = frame("JPEG 1");
        FrameName kept = frame("JPEG 2");
        uploadFrames();
        Evidence first = room.evidence.oldest(0, 1).getFirst();
        assertEquals(deleted, first.frame());
        assertTrue(room.evidence.delete(first, /* inS3= */ true, now));
        EvidenceHome home = new EvidenceHome(dependencies(), KEYS, counters);

        now = now.plusSeconds(3_599);
        home.removeDue();
        assertEquals(2, store.keys().size());
        now = now.plusSeconds(1);
        gate.refuseAll(503, "SlowDown");
        assertThrows(StorageException.class, home::removeDue);
        bucket.close();
        bucket = bucket(store.endpoint());
        new EvidenceHome(dependencies(), KEYS, counters).removeDue();

        assertEquals(List.of(KEYS.of(kept)), store.keys());
        assertEquals(Set.of(kept), room.evidence.known(List.of(deleted, kept)));
    }

    private RecordingHome.Dependencies dependencies() {
        return new RecordingHome.Dependencies(
                room.folders,
                room.uploads,
                room.objects,
                new RecordingHome.EvidenceParts(
                        evidence, copies, room.evidence, room.evidenceUploads),
                room.abandoned,
                bucket,
                KEYS.prefix(),
                /* parallel= */ 4,
                /* withTails= */ true,
                /* finishAfter= */ Duration.ofMinutes(5),
                /* continueWithin= */ Duration.ofSeconds(15),
                /* cacheBytes= */ 0,
                Duration.ofHours(1),
                () -> new DiskSpace.Least(0, 0),
                (_, _) -> {},
                () -> now);
    }

    @Test
    void status_saysHowManyFramesWait() throws Exception {
        frame("JPEG 1");
        HomeStatus status = new RecordingHome(dependencies()).status();
        assertEquals(1, status.waitingFrames());
        assertEquals(0, status.unreadableFrames());
        uploadFrames();
        assertEquals(0, new RecordingHome(dependencies()).status().waitingFrames());
        assertEquals(Optional.empty(), room.evidenceUploads.backlog().oldest());
    }

    @Test
    void keys_areNamesOfFrames_orOfNothing() {
        FrameName frame = new FrameName("a1B2c3D4");
        assertEquals("live/evidence/a1/a1B2c3D4.jpg", KEYS.of(frame));
        assertEquals(Optional.of(frame), KEYS.frameOf(KEYS.of(frame)));
        for (String foreign :
                List.of(
                        "live/evidence/b1/a1B2c3D4.jpg",
                        "evidence/a1/a1B2c3D4.jpg",
                        "live/evidence/a1/a1B2c3D4.png",
                        "live/evidence/a1/a1.jpg")) {
            assertEquals(Optional.empty(), KEYS.frameOf(foreign), foreign);
        }
    }
}
