package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import touchline.api.asset.FolderTree;
import touchline.config.ServerConfig;
import touchline.media.SessionId;
import touchline.media.store.DiskSpace;
import touchline.media.store.Umask;

/** The data folder, with mode 700. Foreign files in it are kept. */
final class DataFolder {
    /** A killed server's child processes may write until they notice its end. */
    private static final Duration ORPHANS = Duration.ofSeconds(10);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

    private static final String OWNER_ONLY = "rwx------";
    private static final String ASSETS = "assets";
    private static final String EVIDENCE = "evidence";
    private static final String EVIDENCE_COPIES = "evidence-from-s3";
    private static final String DEMO_MODELS = "demo-models";
    private static final String SPOOL = "spool";

    /** What earlier versions have made with the rights of the process. */
    private static final List<String> NAMES =
            List.of(
                    "lock",
                    "touchline.mv.db",
                    ASSETS,
                    EVIDENCE,
                    DEMO_MODELS,
                    SPOOL,
                    "work",
                    "transcoding",
                    "acme");

    private DataFolder() {}

    /**
     * Creates the folder if it is missing. From now on all files of this process and of its
     * children are for their owner only; older ones in the folder are mended.
     *
     * @throws UncheckedIOException if it cannot be created or written
     */
    static Path prepare(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(OWNER_ONLY));
            Umask.ownerOnly();
            for (String name : NAMES) {
                OwnerOnlyFiles.mend(folder.resolve(name));
            }
            return folder.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot use " + folder, e);
        }
    }

    /**
     * Keeps other servers out of the folder until it is closed, or the process ends.
     *
     * @throws CommandException if another server uses it
     */
    static FolderLock lock(Path dataDir) {
        try {
            FileChannel file =
                    FileChannel.open(
                            dataDir.resolve("lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            if (file.tryLock() == null) {
                file.close();
                throw new CommandException("data-dir: another server works in " + dataDir);
            }
            return new FolderLock(file);
        } catch (OverlappingFileLockException e) {
            throw new CommandException("data-dir: another server works in " + dataDir, e);
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot lock " + dataDir, e);
        }
    }

    /** What storing leaves free on the disk. */
    static DiskSpace.Least leastFree(ServerConfig config) {
        return new DiskSpace.Least(
                config.storage().minFreeBytes(), config.storage().minFreeInodes());
    }

    /** Folder of recordings and clips. */
    static Path assets(Path dataDir) {
        return made(dataDir.resolve(ASSETS));
    }

    /** Folder of evidence frames of moderation. */
    static Path evidence(Path dataDir) {
        return made(dataDir.resolve(EVIDENCE));
    }

    /** Folder of demo models that the models folder lacks. */
    static Path demoModels(Path dataDir) {
        return made(dataDir.resolve(DEMO_MODELS));
    }

    /**
     * Folder of the live window's older segments. An earlier process's files are removed.
     *
     * @param kept sessions that continue; their files start with their ids
     */
    static Path emptySpool(Path dataDir, Set<SessionId> kept) {
        Path spool = made(dataDir.resolve(SPOOL));
        try (DirectoryStream<Path> all = Files.newDirectoryStream(spool)) {
            for (Path each : all) {
                String name = each.getFileName().toString();
                if (kept.stream().noneMatch(session -> name.startsWith(session.value()))) {
                    FolderTree.remove(each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot empty " + spool, e);
        }
        return spool;
    }

    /** Folder of backups: the one that is being made, and what is known of the last one. */
    static Path backup(Path dataDir) {
        return made(dataDir.resolve("backup"));
    }

    /** Folder with the folders of worker processes; emptied likewise. */
    static Path emptyWork(Path dataDir) {
        return emptied(dataDir.resolve("work"));
    }

    /** Folder of temporary inputs and outputs of transcoding; emptied likewise. */
    static Path emptyTranscoding(Path dataDir) {
        return emptied(dataDir.resolve("transcoding"));
    }

    /** Folder of evidence frames that come from S3; emptied likewise. */
    static Path emptyEvidenceCopies(Path dataDir) {
        return emptied(dataDir.resolve(EVIDENCE_COPIES));
    }

    private static Path emptied(Path folder) {
        long deadlineNs = System.nanoTime() + ORPHANS.toNanos();
        while (true) {
            try {
                FolderTree.remove(folder);
                return made(folder);
            } catch (IOException e) {
                if (System.nanoTime() - deadlineNs > 0 || !pause()) {
                    throw new UncheckedIOException("data-dir: cannot empty " + folder, e);
                }
            }
        }
    }

    /** Returns false if the thread is interrupted. */
    private static boolean pause() {
        try {
            Thread.sleep(BETWEEN_TRIES);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Path made(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: cannot make " + folder, e);
        }
        if (!Files.isReadable(folder) || !Files.isWritable(folder)) {
            throw new UncheckedIOException(
                    "data-dir: cannot use it", new AccessDeniedException(folder.toString()));
        }
        return folder;
    }
}
