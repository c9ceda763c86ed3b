package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import touchline.api.asset.AssetFixture;
import touchline.api.asset.FolderTree;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.storage.StorageException;
import touchline.media.store.DiskSpace;
import touchline.packager.hls.MediaAwayException;

/** Recordings in a real S3 server, with broken connections and wrong objects. */
final class RecordingHomeIT extends StoredAssets {
    private static final DiskSpace.Least NO_LEAST = new DiskSpace.Least(0, 0);

    @Test
    void aLostFolder_comesBackByteForByte_eachFileOnce() throws Exception {
        Asset asset = finished();
        Path kept = root.resolveSibling(root.getFileName() + "-kept");
        copy(folder(asset), kept);

        uploadAll();
        assertEquals(WHOLE, objects(asset));
        assertEquals(Set.of(asset.id()), room.uploads.uploaded());
        FolderTree.remove(folder(asset));

        List<CompletableFuture<Void>> viewers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            viewers.add(CompletableFuture.runAsync(() -> bringBack(asset)));
        }
        viewers.forEach(CompletableFuture::join);

        Set<String> came = filesIn(folder(asset));
        assertTrue(came.remove("from-s3"), came::toString);
        assertEquals(WHOLE, came);
        for (String name : WHOLE) {
            assertArrayEquals(
                    Files.readAllBytes(kept.resolve(name)),
                    Files.readAllBytes(folder(asset).resolve(name)),
                    name);
        }
        assertEquals(WHOLE.size(), counters.fetchedFiles());
        FolderTree.remove(kept);
    }

    @Test
    void uploads_withBusyAnswersAndResets_arriveWhole() throws Exception {
        Asset asset = finished();
        gate.answerBusy(3);
        gate.resetInTheMiddle(2);

        uploadAll();

        assertEquals(0, gate.faultsLeft());
        FolderTree.remove(folder(asset));
        bringBack(asset);
        assertEquals(MEDIA_BYTES, Files.size(folder(asset).resolve("s0-0.m4s")));
        assertEquals(0, counters.fetchFailures());
    }

    @Test
    void whileTheStoreIsAway_uploadsWait_andNothingIsLost() throws Exception {
        Asset asset = finished();
        gate.refuseAll(503, "SlowDown");

        Uploader uploader = uploader();
        assertThrows(StorageException.class, uploader::turn);
        assertEquals(1_000, counters.backlogBytes());
        assertEquals(Set.of(), objects(asset));

        bucket.close();
        bucket = bucket(store.endpoint());
        uploadAll();
        assertEquals(WHOLE, objects(asset));
        uploader().turn();
        assertEquals(0, counters.backlogBytes());
    }

    @Test
    void aCutAnswer_isFetchedAgain() throws Exception {
        Asset asset = finished();
        uploadAll();
        Path file = folder(asset).resolve("s0-0.m4s");
        byte[] content = Files.readAllBytes(file);
        Files.delete(file);
        gate.cutAnswers(2);

        fetch.ensure(asset.id(), List.of(file));

        assertArrayEquals(content, Files.readAllBytes(file));
        assertEquals(0, gate.faultsLeft());
        assertEquals(2, counters.fetchFailures());
    }

    @Test
    void otherContent_andOtherLength_areRefused() throws Exception {
        Asset asset = finished();
        uploadAll();
        Path file = folder(asset).resolve("s0-0.m4s");
        byte[] content = Files.readAllBytes(file);
        Files.delete(file);
        content[400_000] ^= 1;
        for (int bytes : List.of(content.length, content.length - 1, 0)) {
            store.replace(KEYS.of(asset.id(), "s0-0.m4s"), Arrays.copyOf(content, bytes));

            assertThrows(MediaAwayException.class, () -> fetch.ensure(asset.id(), List.of(file)));
            assertFalse(Files.exists(file));
        }
        assertEquals(
                Set.of(),
                new TreeSet<>(
                        filesIn(folder(asset)).stream()
                                .filter(name -> name.startsWith("s0-0.m4s"))
                                .toList()));
    }

    @Test
    void aMissingObject_isAnotherFailureThanAnAbsentStore() throws Exception {
        Asset asset = finished();
        uploadAll();
        Path file = folder(asset).resolve("s0-0.m4s");
        Files.delete(file);
        assertThrows(
                NoSuchFileException.class,
                () -> fetch.ensure(asset.id(), List.of(folder(asset).resolve("s77-0.m4s"))));
        assertThrows(NoSuchFileException.class, () -> fetch.ensureHead(AssetId.create()));
        assertThrows(
                MediaAwayException.class,
                () -> fetch(Long.MAX_VALUE).ensure(asset.id(), List.of(file)));

        gate.refuseAll(500, "InternalError");
        assertThrows(MediaAwayException.class, () -> fetch.ensure(asset.id(), List.of(file)));
    }

    @Test
    void theCache_dropsTheLongestUnused_ofWhatIsStoredAndNotInUse() throws Exception {
        Asset old = finished();
        Asset used = finished();
        Asset cut = finished();
        uploadAll();
        Asset waiting = finished();
        Instant before = AssetFixture.NOW.minus(Duration.ofHours(2));
        for (Asset each : List.of(old, used, cut, waiting)) {
            for (Path file : media(each)) {
                Files.setLastModifiedTime(file, FileTime.from(before));
            }
        }
        media(used).forEach(uses::used);
        // Neither a limit nor a shortage: all stays.
        cache(/* maxBytes= */ 0, NO_LEAST, cut).trim();
        assertTrue(media(old).stream().allMatch(Files::exists));
        LocalCache cache = cache(/* maxBytes= */ 1, NO_LEAST, cut);

        cache.trim();

        assertEquals(
                Set.of(
                        "index",
                        "init0.mp4",
                        "mp4-head-2",
                        "index.tmp",
                        "capped-1080p/index",
                        "capped-1080p/init0.mp4"),
                filesIn(folder(old)));
        for (Asset each : List.of(used, cut, waiting)) {
            assertTrue(media(each).stream().allMatch(Files::exists));
        }
        assertEquals(MEDIA_BYTES + MEDIA_BYTES / 2 + 2_000, counters.evictedBytes());

        bringBack(old);
        assertTrue(media(old).stream().allMatch(Files::exists));
        assertEquals(Set.of(old.id(), used.id(), cut.id()), room.uploads.uploaded());
    }

    @Test
    void whileTheDiskIsNearlyFull_whatIsStoredLeavesIt_andNoAssetIsDeleted() throws Exception {
        Asset stored = finished();
        uploadAll();
        Asset waiting = finished();
        Instant before = AssetFixture.NOW.minus(Duration.ofHours(2));
        for (Asset each : List.of(stored, waiting)) {
            for (Path file : media(each)) {
                Files.setLastModifiedTime(file, FileTime.from(before));
            }
        }

        cache(/* maxBytes= */ 0, new DiskSpace.Least(Long.MAX_VALUE / 4, 0), stored).trim();
        assertTrue(media(stored).stream().allMatch(Files::exists), "it is in use");
        cache(/* maxBytes= */ 0, new DiskSpace.Least(Long.MAX_VALUE / 4, 0), waiting).trim();

        assertTrue(media(stored).stream().noneMatch(Files::exists));
        assertTrue(media(waiting).stream().allMatch(Files::exists));
        assertTrue(room.repository.find(stored.id()).isPresent());
        assertEquals(MEDIA_BYTES + MEDIA_BYTES / 2 + 2_000, counters.evictedBytes());
    }

    private LocalCache cache(long maxBytes, DiskSpace.Least least, Asset inUse) {
        return new LocalCache(
                new LocalCache.Dependencies(
                        room.folders,
                        room.uploads,
                        uses,
                        counters,
                        inUse.id()::equals,
                        () -> least,
                        () -> AssetFixture.NOW),
                maxBytes);
    }

    @Test
    void objectsOfADeletedAsset_stayForAWhile() throws Exception {
        Asset asset = finished();
        uploadAll();
        assertEquals(Deletion.DELETED, room.repository.delete(asset.id()));

        removeDue(Instant.now());
        assertEquals(WHOLE, objects(asset));

        removeDue(Instant.now().plus(Duration.ofHours(2)));
        assertEquals(Set.of(), objects(asset));
        Instant end = Instant.ofEpochMilli(Long.MAX_VALUE);
        assertEquals(Set.of(), room.uploads.deletedBefore(end, end, 9));
    }

    private void removeDue(Instant at) throws Exception {
        new ObjectRemover(room.uploads, bucket, KEYS, Duration.ofHours(1), () -> at).removeDue();
    }
}
