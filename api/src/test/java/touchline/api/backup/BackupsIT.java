package touchline.api.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.MasterKeys;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.domain.Asset;
import touchline.api.view.AssetView;
import touchline.media.store.DiskSpace;
import touchline.packager.record.Recording;

/** Backups of a database and its files. */
final class BackupsIT {
    @TempDir private Path folder;
    private BackedUpFolder data;

    @BeforeEach
    void open() throws IOException {
        data = new BackedUpFolder(folder);
    }

    @AfterEach
    void close() {
        data.close();
    }

    @Test
    void backup_withMedia_isRestoredWithItsFiles() throws IOException {
        Asset whole = data.asset(/* live= */ false, 1_000);
        Files.createDirectories(data.from.resolve("evidence/ab"));
        Files.write(data.from.resolve("evidence/ab/abcdefgh.jpg"), new byte[] {1, 2});
        Files.writeString(data.assets.folders().of(whole.id()).resolve("a name of a person"), "x");
        Backups backups = data.backups();

        Restore.Report report = data.restore(BackedUpFolder.written(backups, true));

        assertEquals(1, report.assets());
        assertEquals(0, report.assetsWithoutFiles());
        String prefix = "assets/" + whole.id() + "/";
        assertEquals(
                new TreeSet<>(
                        List.of(
                                prefix + "index",
                                prefix + "init0.mp4",
                                prefix + "s0-0.m4s",
                                prefix + "s1-0.m4s",
                                "evidence/ab/abcdefgh.jpg",
                                "touchline.mv.db")),
                new TreeSet<>(BackedUpFolder.names(data.to)));
        assertEquals(MasterKeys.load(Optional.empty(), data.from).ids(), report.missingKeys());
        try (Database restored = Database.open(BackedUpFolder.DEFAULT, data.to)) {
            Asset found =
                    new AssetRepository(restored, AssetView::of).find(whole.id()).orElseThrow();
            assertEquals(data.rows.find(whole.id()).orElseThrow(), found);
        }
        assertEquals(1, backups.succeeded());
        assertTrue(backups.last().orElseThrow().media());
        assertFalse(Files.exists(data.from.resolve("backup/running")));
        assertEquals(backups.last(), data.backups().last(), "known to the next server");
    }

    @Test
    void recording_thatGrows_isWrittenAsFarAsItsIndexNames() throws IOException {
        Asset growing = data.asset(/* live= */ true, 400);

        Restore.Report _ = data.restore(BackedUpFolder.written(data.backups(), true));

        Path restored = data.to.resolve("assets").resolve(growing.id().value());
        assertEquals(List.of("index", "init0.mp4", "s0-0.m4s"), BackedUpFolder.names(restored));
        assertEquals(400, Files.size(restored.resolve("s0-0.m4s")));
        assertEquals(1_000_000, Recording.load(restored).durationUs());
        assertFalse(Recording.load(restored).ended());
    }

    /** Deleted after the snapshot, and while its files are being written. */
    @Test
    void asset_deletedMeanwhile_isInTheBackupAndRemovedAfterwards() throws Exception {
        Asset first = data.asset(/* live= */ false, 1_000);
        data.assets.start();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Backups backups = data.backups();
        try (Backups.Prepared prepared = backups.prepare(/* withMedia= */ true)) {
            assertEquals(AssetRepository.Deletion.DELETED, data.assets.delete(first.id()));
            data.assets.removeFiles();
            assertTrue(Files.exists(data.assets.folders().of(first.id())));
            prepared.write(out);
        }
        data.assets.removeFiles();
        assertFalse(Files.exists(data.assets.folders().of(first.id())));

        assertEquals(0, data.restore(out.toByteArray()).assetsWithoutFiles());
    }

    @Test
    void backup_withoutMedia_saysWhatIsMissing() throws IOException {
        data.asset(/* live= */ false, 1_000);

        Restore.Report report = data.restore(BackedUpFolder.written(data.backups(), false));

        assertEquals(1, report.assetsWithoutFiles());
        assertEquals(List.of("touchline.mv.db"), BackedUpFolder.names(data.to));
    }

    @Test
    void secondBackup_whileOneRuns_isRefused() throws IOException {
        Backups backups = data.backups();
        try (Backups.Prepared _ = backups.prepare(/* withMedia= */ false)) {
            assertTrue(backups.isRunning());
            assertThrows(Backups.RefusedException.class, () -> backups.prepare(false));
        }
        assertFalse(backups.isRunning());
        assertEquals(Optional.empty(), backups.last());
        assertTrue(BackedUpFolder.written(backups, false).length > 0);
    }

    @Test
    void receiver_thatLeaves_failsTheBackupAndFreesEverything() throws IOException {
        Asset first = data.asset(/* live= */ false, 1_000);
        Backups backups = data.backups();
        OutputStream leaving = new FullAfter(2_000);

        assertThrows(
                IOException.class,
                () -> {
                    try (Backups.Prepared prepared = backups.prepare(/* withMedia= */ true)) {
                        prepared.write(leaving);
                    }
                });

        assertEquals(1, backups.failed());
        assertEquals(Optional.empty(), backups.last());
        assertFalse(data.assets.uses().isUsed(first.id()));
        assertFalse(Files.exists(data.from.resolve("backup/running")));
        assertTrue(BackedUpFolder.written(backups, true).length > 0);
    }

    @Test
    void server_withAlmostFullDisk_refusesABackup() throws IOException {
        Files.createDirectories(data.from.resolve("backup"));
        Backups backups = data.backups(new DiskSpace.Least(Long.MAX_VALUE, 0));

        assertThrows(DiskFullException.class, () -> backups.prepare(false));

        assertFalse(backups.isRunning());
        assertFalse(Files.exists(data.from.resolve("backup/running")));
    }

    @Test
    void file_ofTheCommand_isForItsOwnerAndHasTheKeys() throws IOException {
        Path file = folder.resolve("b.tar");
        Files.writeString(file, "the old one");
        MasterKeys keys = MasterKeys.load(Optional.empty(), data.from);
        byte[] sent = BackedUpFolder.written(data.backups(), false);

        BackupFile.Written written =
                BackupFile.write(
                        new ByteArrayInputStream(sent),
                        file,
                        manifest -> {
                            assertEquals(keys.ids(), manifest.masterKeys());
                            return Map.of(
                                    "master-key",
                                    keys.fileText(),
                                    "admin-secret",
                                    "s",
                                    "acme/account.pem",
                                    "an account");
                        });

        assertEquals(Files.size(file), written.sizeBytes());
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        Restore.Report report = data.restore(Files.readAllBytes(file));
        assertEquals(List.of(), report.missingKeys());
        assertArrayEquals(
                Files.readAllBytes(data.from.resolve("master-key")),
                Files.readAllBytes(data.to.resolve("master-key")));
        assertEquals("s\n", Files.readString(data.to.resolve("admin-secret")));
        assertEquals("an account\n", Files.readString(data.to.resolve("acme/account.pem")));
        assertEquals(List.of("b.tar", "from", "to"), children(folder));
    }

    @Test
    void file_ofAnAnswerThatIsCutOff_staysTheOldOne() throws IOException {
        Path file = folder.resolve("b.tar");
        Files.writeString(file, "the old one");
        byte[] sent = BackedUpFolder.written(data.backups(), false);

        assertThrows(
                DamagedArchiveException.class,
                () ->
                        BackupFile.write(
                                new ByteArrayInputStream(sent, 0, sent.length - 600),
                                file,
                                BackupFile.Secrets.NONE));

        assertEquals("the old one", Files.readString(file));
        assertEquals(List.of("b.tar", "from"), children(folder));
    }

    @Test
    void file_onADiskThatBecomesFull_staysTheOldOne() throws IOException {
        Path file = folder.resolve("b.tar");
        Files.writeString(file, "the old one");
        byte[] sent = BackedUpFolder.written(data.backups(), false);

        String message =
                assertThrows(
                                DiskFullException.class,
                                () ->
                                        BackupFile.write(
                                                filling(sent), file, BackupFile.Secrets.NONE))
                        .getMessage();

        assertTrue(
                String.valueOf(message).startsWith("no space left on the disk of " + folder),
                message);
        assertEquals("the old one", Files.readString(file));
        assertEquals(List.of("b.tar", "from"), children(folder));
    }

    /** The disk is full when half of these bytes are written. */
    private static InputStream filling(byte[] sent) {
        InputStream none =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("No space left on device");
                    }

                    @Override
                    public int read(byte[] bytes, int offset, int length) throws IOException {
                        return read();
                    }
                };
        return new SequenceInputStream(new ByteArrayInputStream(sent, 0, sent.length / 2), none);
    }

    private static List<String> children(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Fails like a full disk, or a client that has gone. */
    private static final class FullAfter extends OutputStream {
        private int left;

        FullAfter(int bytes) {
            this.left = bytes;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            left -= length;
            if (left < 0) {
                throw new IOException("No space left on device");
            }
        }
    }
}
