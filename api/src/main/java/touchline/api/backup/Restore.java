package touchline.api.backup;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import touchline.api.access.AdminSecret;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretException;
import touchline.api.asset.FolderTree;
import touchline.api.certificate.AcmeStore;
import touchline.api.db.BadRowsException;
import touchline.api.db.DatabaseException;
import touchline.api.db.DatabaseImport;

/**
 * Restores a backup into an empty data folder. All files are made in a folder beside their places,
 * and moved when the whole archive has been read and checked, the database last: a restoration that
 * fails or is killed leaves nothing that a server would take for its own. One thread.
 */
public final class Restore implements AutoCloseable {
    /** Folder of what is not checked yet. */
    private static final String DRAFT = ".restoring";

    /** Not contents: a lock of a server, what a file system has, and an earlier attempt. */
    private static final Set<String> IGNORED = Set.of("lock", "lost+found", DRAFT);

    private static final String DATABASE_FILE = "touchline.mv.db";
    private static final int NAMED = 3;

    private final Path dataDir;
    private final Path draft;
    private final Instant now;
    private final Map<String, Long> rows = new LinkedHashMap<>();
    private final Set<String> assetFolders = new HashSet<>();
    private @Nullable DatabaseImport database;

    /** Uncompressed bytes of tables that are still accepted. */
    private long tableBytesLeft;

    /**
     * What was restored.
     *
     * @param rows of all tables
     * @param assets how many the database has
     * @param assetsWithoutFiles those of which the backup has no files
     * @param missingKeys ids of master keys that the server needs and the backup lacks
     */
    public record Report(
            BackupManifest manifest,
            long rows,
            int assets,
            int assetsWithoutFiles,
            List<String> missingKeys) {
        public Report {
            missingKeys = List.copyOf(missingKeys);
        }
    }

    private Restore(Path dataDir, Instant now) {
        this.dataDir = dataDir;
        this.now = now;
        this.draft = dataDir.resolve(DRAFT);
    }

    /**
     * @throws RestoreException if the folder holds anything
     */
    public static void requireEmpty(Path dataDir) throws IOException {
        if (!Files.exists(dataDir)) {
            return;
        }
        if (!Files.isDirectory(dataDir)) {
            throw new RestoreException(dataDir + " is no folder");
        }
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(dataDir)) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        }
        names.removeAll(IGNORED);
        if (!names.isEmpty()) {
            throw new RestoreException(
                    "%s is not empty (it has %s): name an empty folder, or one that does not exist"
                            .formatted(
                                    dataDir,
                                    String.join(", ", names.stream().limit(NAMED).toList())));
        }
    }

    /**
     * Restores a backup.
     *
     * @param archive stays open
     * @param archiveBytes its size: the restored files are about as large
     * @param dataDir exists, is empty, and no server works in it
     * @throws RestoreException if it does not fit this build or this folder
     * @throws DamagedArchiveException if it is no whole backup
     * @throws IOException if a disk fails; nothing is left behind either
     */
    public static Report run(
            InputStream archive, long archiveBytes, Path dataDir, InstantSource clock)
            throws IOException {
        requireEmpty(dataDir);
        try (Restore restore = new Restore(dataDir, clock.instant())) {
            return restore.run(archive, archiveBytes);
        } catch (DatabaseException e) {
            throw new RestoreException(String.valueOf(e.getMessage()), e);
        }
    }

    private Report run(InputStream archive, long archiveBytes) throws IOException {
        FolderTree.remove(draft);
        long free = Files.getFileStore(dataDir).getUsableSpace();
        if (free < archiveBytes) {
            throw new RestoreException(
                    "%s has %d bytes free (expected: at least %d)"
                            .formatted(dataDir, free, archiveBytes));
        }
        tableBytesLeft = free;
        Files.createDirectory(draft);
        try (ArchiveReader reader = new ArchiveReader(archive, draft.resolve("sums"))) {
            BackupManifest manifest = reader.manifest();
            if (manifest.database()) {
                database = DatabaseImport.create(draft, manifest.migrations());
            }
            ArchiveReader.Entry entry;
            while ((entry = reader.next()) != null) {
                restore(entry, manifest);
            }
            Report report = checked(manifest);
            moveIntoPlace();
            return report;
        }
    }

    private void restore(ArchiveReader.Entry entry, BackupManifest manifest) throws IOException {
        if (entry.name().startsWith(ArchiveNames.DATABASE)) {
            loadTable(entry, manifest);
            return;
        }
        Path file = draft.resolve(entry.name()).normalize();
        if (!file.startsWith(draft)) {
            throw new DamagedArchiveException(entry.name() + ": leads out of the folder");
        }
        try {
            Files.createDirectories(file.getParent());
            Files.copy(entry.content(), file);
        } catch (FileAlreadyExistsException e) {
            throw new DamagedArchiveException(entry.name() + ": twice", e);
        }
        if (entry.name().startsWith(ArchiveNames.ASSETS)) {
            assetFolders.add(entry.name().split("/", -1)[1]);
        }
    }

    private void loadTable(ArchiveReader.Entry entry, BackupManifest manifest) throws IOException {
        String table = ArchiveNames.tableOf(entry.name());
        DatabaseImport made = database;
        if (made == null || !manifest.rows().containsKey(table) || rows.containsKey(table)) {
            throw new DamagedArchiveException(entry.name() + ": not announced, or twice");
        }
        try (InputStream text = new Limited(new GZIPInputStream(new Unclosed(entry.content())))) {
            rows.put(table, made.load(table, text));
        } catch (ZipException | EOFException | BadRowsException e) {
            throw new DamagedArchiveException(
                    entry.name() + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private Report checked(BackupManifest manifest) throws IOException {
        List<String> assets = List.of();
        DatabaseImport made = database;
        if (made != null) {
            if (!rows.equals(manifest.rows())) {
                throw new DamagedArchiveException(
                        "tables have other rows than announced: %s (expected: %s)"
                                .formatted(rows, manifest.rows()));
            }
            try {
                made.check();
            } catch (BadRowsException e) {
                throw new DamagedArchiveException(String.valueOf(e.getMessage()), e);
            }
            made.advanceMediaSequences(Duration.between(manifest.createdAt(), now));
            assets = made.assets();
            database = null;
            made.close();
        }
        return new Report(
                manifest,
                rows.values().stream().mapToLong(Long::longValue).sum(),
                assets.size(),
                (int) assets.stream().filter(id -> !assetFolders.contains(id)).count(),
                missingKeys(manifest));
    }

    private List<String> missingKeys(BackupManifest manifest) {
        List<String> missing = new ArrayList<>(manifest.masterKeys());
        Path keys = draft.resolve(ArchiveNames.KEYS);
        if (Files.exists(keys.resolve(MasterKeys.FILE))) {
            try {
                missing.removeAll(MasterKeys.load(Optional.empty(), keys).ids());
            } catch (SecretException e) {
                throw new RestoreException("the master key in it: " + e.getMessage(), e);
            }
        }
        return missing;
    }

    private void moveIntoPlace() throws IOException {
        move("assets", "assets");
        move("evidence", "evidence");
        move(ArchiveNames.KEYS + MasterKeys.FILE, MasterKeys.FILE);
        move(ArchiveNames.KEYS + AdminSecret.FILE, AdminSecret.FILE);
        move(ArchiveNames.KEYS + AcmeStore.FOLDER, AcmeStore.FOLDER);
        move(DATABASE_FILE, DATABASE_FILE);
    }

    private void move(String from, String to) throws IOException {
        Path file = draft.resolve(from);
        if (Files.exists(file)) {
            Files.move(file, dataDir.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    @Override
    public void close() throws IOException {
        DatabaseImport made = database;
        database = null;
        if (made != null) {
            made.close();
        }
        FolderTree.remove(draft);
    }

    /** Ends what unpacks to more than the disk has. */
    private final class Limited extends FilterInputStream {
        Limited(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            return counted(super.read(), 1);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            return counted(read, read);
        }

        private int counted(int result, int bytes) throws DamagedArchiveException {
            if (result >= 0) {
                tableBytesLeft -= bytes;
                if (tableBytesLeft < 0) {
                    throw new DamagedArchiveException("unpacks to more than the disk has free");
                }
            }
            return result;
        }
    }

    /** An entry ends with its archive. */
    private static final class Unclosed extends FilterInputStream {
        Unclosed(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // Its owner closes it.
        }
    }
}
