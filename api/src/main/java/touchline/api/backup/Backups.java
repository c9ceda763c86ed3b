package touchline.api.backup;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.access.MasterKeyCheck;
import touchline.api.access.MasterKeys;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetLeases;
import touchline.api.asset.FolderTree;
import touchline.api.db.Database;
import touchline.api.db.DatabaseSnapshot;
import touchline.api.db.SealedTexts;
import touchline.api.domain.AssetId;
import touchline.media.store.DiskSpace;

/**
 * Backups of the running server, one at a time. Any thread; blocks.
 *
 * <p>Invariant: a restored folder is that of a server killed at the moment of the database's
 * snapshot, and each start recovers from that. So the database comes first and the media second:
 *
 * <ol>
 *   <li>The files of all assets are kept from deletion, before the snapshot.
 *   <li>The snapshot fixes all rows. Each asset in it gets a lease, which ends when its files are
 *       written, so what is deleted meanwhile is still in the backup.
 *   <li>The files are read afterwards. Recordings only grow, and finished assets do not change.
 *       Therefore each file has at least what the rows say. A recording may have more: the next
 *       start finishes it from its files, as it does after a crash.
 * </ol>
 *
 * <p>In the other order rows could name media that was stored after its folder was read.
 *
 * <p>The master key is never part of it: it does not leave the server by its API.
 */
public final class Backups {
    private static final Logger log = LoggerFactory.getLogger(Backups.class);

    private final Dependencies dependencies;
    private final LastBackup last;
    private final Path running;
    private final AtomicBoolean isRunning = new AtomicBoolean();
    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /**
     * All borrowed.
     *
     * @param leases of the files of assets
     * @param evidence folder of evidence frames
     * @param work a folder of this class alone, on the disk of the data folder
     * @param least what a backup leaves free on that disk
     * @param version of this build
     */
    public record Dependencies(
            Database database,
            MasterKeys keys,
            AssetFolders assets,
            AssetLeases leases,
            Path evidence,
            Path work,
            DiskSpace.Least least,
            InstantSource clock,
            String version) {}

    /** A backup runs already, or this database is not backed up here. */
    public static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    public Backups(Dependencies dependencies) {
        this.dependencies = dependencies;
        this.last = LastBackup.load(dependencies.work());
        this.running = dependencies.work().resolve("running");
        try {
            FolderTree.remove(running);
        } catch (IOException e) {
            log.warn("what an earlier server has left in {} stays: {}", running, e.toString());
        }
    }

    /** The last one that was written to its end, by this server or an earlier one. */
    public Optional<LastBackup.Entry> last() {
        return last.entry();
    }

    public boolean isRunning() {
        return isRunning.get();
    }

    /** Backups that were written to their end, since the start. */
    public long succeeded() {
        return succeeded.get();
    }

    /** Backups that failed, or whose client left, since the start. */
    public long failed() {
        return failed.get();
    }

    /** The command line for the database; empty where the backup has its rows. */
    public Optional<String> databaseCommand() {
        return dependencies.database().isH2()
                ? Optional.empty()
                : Optional.of(dependencies.database().dumpCommand());
    }

    /**
     * Takes the snapshot and stores its rows in the folder for work.
     *
     * @param withMedia with recordings, clips and evidence frames
     * @return the caller closes it
     * @throws RefusedException if another one runs, or there is nothing to write
     * @throws IOException if the disk fails, for example is full
     */
    public Prepared prepare(boolean withMedia) throws IOException {
        if (!withMedia && databaseCommand().isPresent()) {
            throw new RefusedException(
                    "the database is PostgreSQL, which has a tool of its own: "
                            + databaseCommand().get());
        }
        if (!isRunning.compareAndSet(false, true)) {
            throw new RefusedException("another backup is running");
        }
        Prepared prepared = new Prepared(withMedia);
        try {
            prepared.takeSnapshot();
            return prepared;
        } catch (IOException | RuntimeException e) {
            failed.incrementAndGet();
            prepared.close();
            throw e;
        }
    }

    /** A backup whose database part is ready. One thread at a time. */
    public final class Prepared implements AutoCloseable {
        private final boolean withMedia;
        private final long startNs = System.nanoTime();
        private final List<DatabaseSnapshot.AssetRow> assets = new ArrayList<>();
        private final Map<String, AssetLeases.Use> uses = new LinkedHashMap<>();
        private final AtomicBoolean closed = new AtomicBoolean();
        private final Path work;
        private BackupManifest manifest;

        private Prepared(boolean withMedia) {
            this.withMedia = withMedia;
            this.work = running;
            this.manifest = manifest(List.of(), Map.of());
        }

        private BackupManifest manifest(List<String> migrations, Map<String, Long> rows) {
            return new BackupManifest(
                    dependencies.version(),
                    dependencies.clock().instant(),
                    databaseCommand().isEmpty(),
                    migrations,
                    MasterKeyCheck.needed(
                            dependencies.keys(), new SealedTexts(dependencies.database())),
                    rows,
                    withMedia,
                    assets.stream().mapToLong(DatabaseSnapshot.AssetRow::sizeBytes).sum());
        }

        private void takeSnapshot() throws IOException {
            FolderTree.remove(work);
            Files.createDirectories(work);
            if (databaseCommand().isPresent()) {
                try (AssetLeases.Use _ = dependencies.leases().beginAll()) {
                    keepFiles(DatabaseSnapshot.assets(dependencies.database()));
                }
                manifest = manifest(List.of(), Map.of());
                return;
            }
            Map<String, Long> rows = new LinkedHashMap<>();
            try (AssetLeases.Use _ = dependencies.leases().beginAll();
                    DatabaseSnapshot snapshot = dependencies.database().snapshot()) {
                keepFiles(snapshot.assets());
                BackupManifest begun = manifest(snapshot.migrations(), Map.of());
                for (String table : snapshot.tables()) {
                    checkSpace();
                    try (OutputStream file = Files.newOutputStream(table(table));
                            OutputStream packed = new GZIPOutputStream(file, 64 << 10)) {
                        rows.put(table, snapshot.write(table, packed));
                    }
                }
                manifest = begun.withRows(rows);
            }
        }

        private void keepFiles(List<DatabaseSnapshot.AssetRow> rows) {
            if (withMedia) {
                assets.addAll(rows);
                rows.forEach(
                        row ->
                                uses.put(
                                        row.id(),
                                        dependencies.leases().begin(new AssetId(row.id()))));
            }
        }

        /** Recordings must not stop for lack of space because of a backup. */
        private void checkSpace() throws IOException {
            DiskSpace space = DiskSpace.of(work);
            if (space.isBelow(dependencies.least())) {
                throw new DiskFullException(space.shortage(dependencies.least()));
            }
        }

        private Path table(String name) {
            return work.resolve(name + ArchiveNames.TABLE_SUFFIX);
        }

        /** Of the archive that {@link #write} writes. */
        public BackupManifest manifest() {
            return manifest;
        }

        /**
         * Writes the archive. Called once.
         *
         * @param out stays open
         * @throws IOException if the disk fails, or the receiver has left
         */
        public void write(OutputStream out) throws IOException {
            boolean done = false;
            try (ArchiveWriter archive =
                    new ArchiveWriter(out, manifest.createdAt(), work.resolve("sums"))) {
                archive.add(ArchiveNames.MANIFEST, manifest.json());
                for (String table : manifest.rows().keySet()) {
                    archive.add(ArchiveNames.ofTable(table), table(table));
                }
                if (withMedia) {
                    writeMedia(archive);
                }
                archive.finish();
                log.info(
                        "backup written: {} files, {} bytes, media={}, {} ms",
                        archive.files(),
                        archive.bytes(),
                        withMedia,
                        (System.nanoTime() - startNs) / 1_000_000);
                done = true;
                succeeded.incrementAndGet();
                last.store(new LastBackup.Entry(manifest.createdAt(), archive.bytes(), withMedia));
            } finally {
                if (!done) {
                    failed.incrementAndGet();
                    log.warn("a backup was not written to its end");
                }
            }
        }

        private void writeMedia(ArchiveWriter archive) throws IOException {
            Path draft = Files.createDirectories(work.resolve("index"));
            MediaFiles files = new MediaFiles(archive, draft);
            int absent = 0;
            for (DatabaseSnapshot.AssetRow asset : assets) {
                Path folder = dependencies.assets().of(new AssetId(asset.id()));
                boolean found =
                        asset.live()
                                ? files.addRecording(asset.id(), folder)
                                : asset.stored() && files.addFinished(asset.id(), folder);
                absent += found ? 0 : 1;
                release(asset.id());
            }
            files.addEvidence(dependencies.evidence());
            if (absent > 0) {
                log.info("{} assets have no files to back up", absent);
            }
        }

        private void release(String asset) {
            AssetLeases.Use use = uses.remove(asset);
            if (use != null) {
                use.close();
            }
        }

        /** Frees what it holds. Idempotent. */
        @Override
        public void close() {
            if (closed.getAndSet(true)) {
                return;
            }
            uses.values().forEach(AssetLeases.Use::close);
            uses.clear();
            try {
                FolderTree.remove(work);
            } catch (IOException e) {
                log.warn("the backup's folder is not removed: {}", e.toString());
            }
            isRunning.set(false);
        }
    }
}
