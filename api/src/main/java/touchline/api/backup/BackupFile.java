package touchline.api.backup;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * The file of a backup, made from what the server sends: checked while it is written, for its owner
 * only, and on the disk before it has its name. A failure leaves nothing, and an older file of that
 * name as it was.
 */
public final class BackupFile {
    private static final int BUFFER_BYTES = 128 << 10;

    /** Texts of the errors ENOSPC and EDQUOT. */
    private static final List<String> FULL =
            List.of("No space left on device", "Disk quota exceeded");

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private BackupFile() {}

    /**
     * @param manifest of the backup
     * @param files how many it has
     * @param sizeBytes of the archive
     */
    public record Written(BackupManifest manifest, long files, long sizeBytes) {}

    /** Secrets that the command adds, by the names of their files in the data folder, in order. */
    @FunctionalInterface
    public interface Secrets {
        /** None. */
        Secrets NONE = _ -> Map.of();

        /**
         * @param manifest names the keys that the backup needs
         */
        Map<String, String> of(BackupManifest manifest);
    }

    /**
     * Writes the file.
     *
     * @param sent the archive of the server; stays open
     * @throws DamagedArchiveException if the server has not sent all of it
     * @throws DiskFullException if the disk has no space left for it
     * @throws IOException if the disk fails
     */
    public static Written write(InputStream sent, Path file, Secrets secrets) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(file) || !Files.isDirectory(folder)) {
            throw new IOException(file + ": expected the name of a file in a folder that exists");
        }
        try {
            return writeDraft(sent, file, folder, secrets);
        } catch (DamagedArchiveException e) {
            throw e;
        } catch (IOException e) {
            throw FULL.stream().anyMatch(String.valueOf(e.getMessage())::contains)
                    ? new DiskFullException(
                            "no space left on the disk of %s, which has %d bytes free without it"
                                    .formatted(folder, Files.getFileStore(folder).getUsableSpace()),
                            e)
                    : e;
        }
    }

    private static Written writeDraft(InputStream sent, Path file, Path folder, Secrets secrets)
            throws IOException {
        Path draft =
                Files.createTempFile(folder, "." + file.getFileName() + ".", ".part", OWNER_ONLY);
        // Ctrl-C ends the process where it is.
        draft.toFile().deleteOnExit();
        try {
            Written written = copy(sent, draft, secrets);
            Files.move(
                    draft,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            force(folder);
            return written;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static Written copy(InputStream sent, Path draft, Secrets secrets) throws IOException {
        Path readSums = draft.resolveSibling(draft.getFileName() + ".read");
        Path writtenSums = draft.resolveSibling(draft.getFileName() + ".written");
        readSums.toFile().deleteOnExit();
        writtenSums.toFile().deleteOnExit();
        try (ArchiveReader reader = new ArchiveReader(sent, readSums);
                FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE);
                OutputStream out =
                        new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
                ArchiveWriter writer =
                        new ArchiveWriter(out, reader.manifest().createdAt(), writtenSums)) {
            BackupManifest manifest = reader.manifest();
            Map<String, String> added = secrets.of(manifest);
            writer.add(ArchiveNames.MANIFEST, manifest.json());
            ArchiveReader.Entry entry;
            while ((entry = reader.next()) != null) {
                if (entry.name().startsWith(ArchiveNames.KEYS)) {
                    throw new DamagedArchiveException(
                            entry.name() + ": a server does not send its keys");
                }
                writer.add(entry.name(), entry.sizeBytes(), entry.content());
            }
            for (Map.Entry<String, String> secret : added.entrySet()) {
                writer.add(
                        ArchiveNames.KEYS + secret.getKey(),
                        (secret.getValue() + "\n").getBytes(StandardCharsets.UTF_8));
            }
            writer.finish();
            channel.force(true);
            return new Written(manifest, writer.files(), writer.bytes());
        }
    }

    private static void force(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
