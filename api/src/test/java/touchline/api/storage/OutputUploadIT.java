package touchline.api.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.StorageType;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressLimits;
import touchline.media.net.AddressRules;

/** Outputs to a real S3 server with broken connections. */
final class OutputUploadIT {
    private static final String PREFIX = "touchline/vod/task_1/";

    @TempDir private static Path made;
    private static Path large;

    @TempDir private Path folder;

    private S3Store store;
    private FaultyGate gate;
    private final Egress egress = new Egress(AddressRules.allowing(List.of("127.0.0.0/8")));

    @BeforeEach
    void start() throws Exception {
        store = S3Store.start();
        gate = new FaultyGate(store.port());
    }

    @AfterEach
    void stop() throws Exception {
        gate.close();
        egress.close();
        store.close();
    }

    private ObjectStorages storages() {
        return new ObjectStorages(egress, Optional.of(folder.resolve("root")));
    }

    @BeforeAll
    static void makeLargeFile() throws IOException {
        byte[] bytes = new byte[(16 << 20) + 4_321];
        new Random(7).nextBytes(bytes);
        large = Files.write(made.resolve("large"), bytes);
    }

    /** A small file and a file that is uploaded in two parts. */
    private Path output() throws Exception {
        Path out = Files.createDirectories(folder.resolve("out"));
        Files.writeString(out.resolve("index.m3u8"), "#EXTM3U\n");
        Files.createDirectories(out.resolve("v720"));
        Files.createLink(out.resolve("v720/s00000.m4s"), large);
        return out;
    }

    private void upload(OutputStorage storage) throws Exception {
        upload(storages().open(storage));
    }

    private void upload(ObjectStorage storage) throws Exception {
        AtomicReference<Double> progress = new AtomicReference<>(0.0);
        try (ObjectStorage opened = storage) {
            new OutputUpload(opened, progress::set)
                    .run(new OutputUpload.Output(output(), "index.m3u8", "goal.m3u8", PREFIX));
        }
        assertEquals(1.0, progress.get());
    }

    private OutputStorage behindGate() {
        return S3Store.storage(gate.endpoint(), S3Store.SECRET_KEY);
    }

    private void assertStored() throws Exception {
        assertEquals(
                List.of(PREFIX + "goal.m3u8", PREFIX + "v720/s00000.m4s"),
                store.keys().stream().sorted().toList());
        Path back = folder.resolve("back");
        store.download(PREFIX + "v720/s00000.m4s", back);
        assertArrayEquals(
                Files.readAllBytes(folder.resolve("out/v720/s00000.m4s")),
                Files.readAllBytes(back));
        assertEquals(0, store.openUploads());
    }

    @Test
    void upload_largeFile_goesInPartsAndIsReadBack() throws Exception {
        upload(behindGate());

        assertStored();
    }

    /** The SDK opens a file for its hash and for each try, and closes none of them. */
    @Test
    void upload_andItsTries_leaveNoFileOpen() throws Exception {
        gate.resetInTheMiddle(2);

        upload(behindGate());

        Path out = folder.resolve("out").toRealPath();
        List<Path> open = openFiles();
        assertTrue(open.size() > 3, open::toString);
        assertEquals(List.of(), open.stream().filter(it -> it.startsWith(out)).toList());
    }

    /** Of this process. */
    private static List<Path> openFiles() throws IOException {
        List<Path> open = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : files) {
                try {
                    open.add(Files.readSymbolicLink(each));
                } catch (NoSuchFileException _) {
                    // Closed between the listing and the look.
                }
            }
        }
        return open;
    }

    @Test
    void upload_busyStore_isTriedAgain() throws Exception {
        gate.answerBusy(3);

        upload(behindGate());

        assertEquals(0, gate.faultsLeft());
        assertStored();
    }

    @Test
    void upload_connectionsResetInMidPart_isTriedAgain() throws Exception {
        gate.resetInTheMiddle(2);

        upload(behindGate());

        assertEquals(0, gate.faultsLeft());
        assertStored();
    }

    @Test
    void upload_slowStore_comesThrough() throws Exception {
        gate.slowDown(6 << 20);

        upload(behindGate());

        assertStored();
    }

    /** The peer stops reading and keeps the connection open: only the timeout ends it. */
    @Test
    void upload_storeThatStalls_failsWhenItsTimeIsOver() throws Exception {
        gate.stallInTheMiddle(1);
        EgressLimits brief =
                new EgressLimits(Duration.ofSeconds(20), Duration.ofSeconds(5), Long.MAX_VALUE);

        StorageException failure =
                assertThrows(
                        StorageException.class,
                        () -> upload(storages().open(behindGate(), brief, /* tries= */ 1)));

        assertEquals(StorageException.Kind.FAILED, failure.kind());
        assertEquals(0, gate.faultsLeft());
    }

    @ParameterizedTest
    @CsvSource({
        "403, SignatureDoesNotMatch, REFUSED, storage_sk",
        "403, InvalidAccessKeyId, REFUSED, storage_ak",
        "403, AccessDenied, REFUSED, storage_sk",
        "404, NoSuchBucket, REFUSED, bucket",
        "503, SlowDown, FAILED, endpoint",
        "500, InternalError, FAILED, endpoint"
    })
    void upload_refusedByTheStore_saysWhy(
            int status, String code, StorageException.Kind kind, String setting) throws Exception {
        gate.refuseAll(status, code);
        EgressLimits brief =
                new EgressLimits(Duration.ofSeconds(5), Duration.ofSeconds(10), Long.MAX_VALUE);

        StorageException failure =
                assertThrows(
                        StorageException.class,
                        () -> upload(storages().open(behindGate(), brief, /* tries= */ 2)));

        assertEquals(kind, failure.kind());
        assertEquals(setting, failure.setting());
        assertFalse(String.valueOf(failure.getMessage()).contains(S3Store.SECRET_KEY));
    }

    @Test
    void sweep_removesObjectsAndBegunUploads() throws Exception {
        upload(behindGate());
        try (ObjectStorage opened = storages().open(behindGate())) {
            ObjectStorage.Parts begun = opened.begin(PREFIX + "half.mp4", "video/mp4");
            begun.put(
                    1,
                    new ObjectStorage.FileSlice(folder.resolve("out/v720/s00000.m4s"), 0, 6 << 20));
            assertEquals(1, store.openUploads());

            OutputUpload.sweep(opened, PREFIX);
        }

        assertEquals(List.of(), store.keys());
        assertEquals(0, store.openUploads());
    }

    @Test
    void probe_goodStorage_leavesNothing() throws Exception {
        new StorageProbe(storages(), folder).check(behindGate());

        assertEquals(List.of(), store.keys());
    }

    @Test
    void probe_wrongSecret_saysSo() {
        StorageException refusal =
                assertThrows(
                        StorageException.class,
                        () ->
                                new StorageProbe(storages(), folder)
                                        .check(S3Store.storage(store.endpoint(), "wrong")));

        assertEquals(StorageException.Kind.REFUSED, refusal.kind());
        assertEquals("storage_sk", refusal.setting());
        assertEquals("the secret key is wrong", refusal.getMessage());
    }

    @Test
    void probe_bucketGone_saysSo() {
        store.removeBucket();

        StorageException refusal =
                assertThrows(
                        StorageException.class,
                        () -> new StorageProbe(storages(), folder).check(behindGate()));

        assertEquals(StorageException.Kind.REFUSED, refusal.kind());
        assertEquals("bucket", refusal.setting());
    }

    @Test
    void probe_privateAddress_isRefused() {
        OutputStorage inside =
                S3Store.storage(URI.create("http://10.0.0.1:9000"), S3Store.SECRET_KEY);

        StorageException refusal =
                assertThrows(
                        StorageException.class,
                        () -> new StorageProbe(storages(), folder).check(inside));

        assertEquals(StorageException.Kind.REFUSED, refusal.kind());
        assertEquals("endpoint", refusal.setting());
    }

    @Test
    void folder_storesAndSweeps() throws Exception {
        OutputStorage archive = archive();
        new StorageProbe(storages(), folder).check(archive);

        upload(archive);

        Path task = folder.resolve("root/archive").resolve(PREFIX);
        assertEquals("#EXTM3U\n", Files.readString(task.resolve("goal.m3u8")));
        assertTrue(Files.isRegularFile(task.resolve("v720/s00000.m4s")));
        try (ObjectStorage opened = storages().open(archive)) {
            OutputUpload.sweep(opened, PREFIX);
        }
        assertFalse(Files.exists(task));
    }

    @Test
    void folder_behindALinkOutside_isRefused() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Path bucket = Files.createDirectories(folder.resolve("root/archive"));
        Files.createSymbolicLink(bucket.resolve("touchline"), outside);

        StorageException refusal = assertThrows(StorageException.class, () -> upload(archive()));

        assertEquals(StorageException.Kind.REFUSED, refusal.kind());
    }

    private static OutputStorage archive() {
        return new OutputStorage(
                OutputStorage.newId(),
                StorageType.FILE,
                "",
                "archive",
                "touchline/vod",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                URI.create("https://client.example/done"),
                Optional.empty(),
                Instant.EPOCH);
    }
}
