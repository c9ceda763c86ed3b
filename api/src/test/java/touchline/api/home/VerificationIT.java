package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.asset.AssetFixture;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.FrameName;
import touchline.api.storage.StorageException;

/** Rows, indexes and objects of a real S3 server, with objects that were taken away or added. */
final class VerificationIT extends StoredAssets {
    private final List<Verification.Finding> found = new ArrayList<>();
    private long progress;

    @AfterEach
    void empty() {
        store.empty();
    }

    @Test
    void aLibraryInS3_isClean_andWhatWaitsIsCounted() throws Exception {
        finished();
        finished();
        uploadAll();
        finished();

        Verification.Result result = verify(/* orphans= */ true);

        assertTrue(result.isClean(), found::toString);
        assertEquals(2, result.assets());
        assertEquals(2L * WHOLE.size(), result.objects());
        assertEquals(1, result.waiting());
        assertEquals(2, progress);
    }

    /** A request was under way when the server was killed. */
    @Test
    void segmentsBesideACompleteRecording_areOneOrphan() throws Exception {
        Asset asset = finished();
        uploadAll();
        Path file = folder(asset).resolve("s0-0.m4s");
        String tail = "tail/";
        bucket.put(KEYS.of(asset.id(), tail + "0-0-0-32-0-1-1.m4s"), file, "text/plain");
        bucket.put(KEYS.of(asset.id(), tail + "1-0-0-32-0-1-1.m4s"), file, "text/plain");

        assertEquals(1, verify(/* orphans= */ true).orphans());
        assertEquals(
                List.of(
                        new Verification.Finding.Orphan(
                                KEYS.folder(asset.id()) + tail, 2, 2L * MEDIA_BYTES)),
                found);
    }

    @Test
    void whatIsMissing_isNamedWithItsReason() throws Exception {
        Asset lacksMedia = finished();
        Asset lacksIndex = finished();
        Asset damaged = finished();
        Asset isShort = finished();
        Asset scaled = finished();
        Asset deleted = finished();
        uploadAll();
        bucket.delete(
                List.of(
                        KEYS.of(lacksMedia.id(), "s9-0.m4s"),
                        KEYS.of(lacksIndex.id(), "index"),
                        KEYS.of(scaled.id(), "capped-1080p/s0-0.m4s"),
                        KEYS.of(deleted.id(), "index")));
        store.replace(KEYS.of(damaged.id(), "index"), new byte[100]);
        store.replace(KEYS.of(isShort.id(), "s0-0.m4s"), new byte[MEDIA_BYTES - 1]);
        assertEquals(Deletion.DELETED, room.repository.delete(deleted.id()));

        Verification.Result result = verify(/* orphans= */ true);

        assertEquals(
                List.of(
                        missing(lacksMedia, "s9-0.m4s", "not there"),
                        missing(lacksIndex, "index", "not there"),
                        missing(damaged, "index", "the content is not what was stored"),
                        missing(isShort, "s0-0.m4s", "699999 bytes (expected: at least 700000)"),
                        missing(scaled, "capped-1080p/s0-0.m4s", "not there")),
                found);
        assertEquals(5, result.missing());
        assertFalse(result.isClean());
    }

    @Test
    void anIndexThatIsShorterThanItsRow_isNamed() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(30_000_000));
        fill(asset.id());
        uploadAll();

        verify(/* orphans= */ false);

        assertEquals(
                List.of(missing(asset, "index", "has 10000 ms (expected: 30000, as the row says)")),
                found);
    }

    @Test
    void whatBelongsToNothing_isNamedWhereItIsAskedFor() throws Exception {
        Asset asset = finished();
        Asset waiting = room.stored(AssetFixture.finished(10_000_000));
        Asset gone = finished();
        uploadAll();
        assertEquals(Deletion.DELETED, room.repository.delete(gone.id()));
        AssetId unknown = AssetId.create();
        put(KEYS.of(asset.id(), "s77-0.m4s"), "four");
        put(KEYS.of(waiting.id(), "s0-0.m4s"), "row without an end of its upload");
        put(KEYS.of(unknown, "index"), "four");
        put(KEYS.of(unknown, "s0-0.m4s"), "and six");
        put(KEYS.all() + "zz/notes.txt", "hello");

        assertTrue(verify(/* orphans= */ false).isClean());
        Verification.Result result = verify(/* orphans= */ true);

        assertEquals(3, result.orphans());
        assertEquals(
                Set.of(
                        new Verification.Finding.Orphan(KEYS.of(asset.id(), "s77-0.m4s"), 1, 4),
                        new Verification.Finding.Orphan(KEYS.folder(unknown), 2, 11),
                        new Verification.Finding.Orphan(KEYS.all() + "zz/", 1, 5)),
                Set.copyOf(found));
    }

    @Test
    void evidenceFrames_areCompared_andThoseWithoutARecordAreNamed() throws Exception {
        FrameName whole = frame("JPEG 1");
        FrameName lost = frame("JPEG 2");
        FrameName isShort = frame("JPEG 3");
        FrameName deleted = frame("JPEG 4");
        uploadFrames();
        frame("JPEG that waits");
        assertTrue(
                room.evidence.delete(
                        room.evidence.oldest(0, 5).get(3), /* inS3= */ true, AssetFixture.NOW));
        FrameName unknown = FrameName.create();
        put(KEYS.of(unknown), "unknown");
        put(KEYS.frames() + "zz/notes.txt", "hello");
        bucket.delete(List.of(KEYS.of(lost)));
        store.replace(KEYS.of(isShort), new byte[5]);

        Verification.Result result = verify(/* orphans= */ true);

        assertEquals(
                Set.of(
                        new Verification.Finding.MissingFrame(lost, "not there"),
                        new Verification.Finding.MissingFrame(isShort, "5 bytes (expected: 6)"),
                        new Verification.Finding.Orphan(KEYS.of(unknown), 1, 7),
                        new Verification.Finding.Orphan(KEYS.frames() + "zz/", 1, 5)),
                Set.copyOf(found));
        assertEquals(2, result.objects());
        assertEquals(11, result.bytes());
        assertTrue(store.keys().containsAll(List.of(KEYS.of(whole), KEYS.of(deleted))));
    }

    @Test
    void whileTheStoreRefuses_itFails_andNothingIsMissing() throws Exception {
        finished();
        uploadAll();
        gate.refuseAll(403, "AccessDenied");

        assertThrows(StorageException.class, () -> verify(/* orphans= */ true));
        assertEquals(List.of(), found);
    }

    private Verification.Result verify(boolean orphans) throws Exception {
        found.clear();
        Verification.Result result =
                new Verification(
                                new Verification.Rows(
                                        room.objects, room.evidence, room.evidenceUploads),
                                bucket,
                                KEYS,
                                /* parallel= */ 4,
                                new Verification.Report() {
                                    @Override
                                    public void progress(long checked, long all) {
                                        progress = checked;
                                    }

                                    @Override
                                    public void found(Verification.Finding finding) {
                                        found.add(finding);
                                    }
                                })
                        .run(orphans);
        assertEquals(found.size(), result.missing() + result.orphans());
        return result;
    }

    private static Verification.Finding missing(Asset asset, String file, String reason) {
        return new Verification.Finding.Missing(asset.id(), file, reason);
    }

    private void put(String key, String content) throws Exception {
        Path file = root.resolveSibling("object");
        Files.writeString(file, content, StandardCharsets.UTF_8);
        bucket.put(key, file, "text/plain");
        Files.delete(file);
    }
}
