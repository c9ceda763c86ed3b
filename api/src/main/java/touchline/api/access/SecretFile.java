package touchline.api.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A small text file in the data folder that only its owner may read: mode 600. */
final class SecretFile {
    private static final Logger log = LoggerFactory.getLogger(SecretFile.class);
    private static final int MAX_BYTES = 16 * 1024;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?> MODE_600 =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final FileAttribute<?> MODE_700 =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path path;

    SecretFile(Path path) {
        this.path = path;
    }

    /** The text without surrounding white space; empty where there is no file. */
    Optional<String> read() {
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw new SecretException(path + ": too large (expected: <= " + MAX_BYTES + ")");
            }
            restrict();
            String text = Files.readString(path).strip();
            if (text.isEmpty()) {
                throw new SecretException(path + ": empty (expected: a secret)");
            }
            return Optional.of(text);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new SecretException(path + ": cannot read: " + e, e);
        }
    }

    /** The text of the file, which is made from this first if it is not there. */
    String readOrCreate(Supplier<String> first) {
        Optional<String> existing = read();
        if (existing.isPresent()) {
            return existing.get();
        }
        try {
            create(first.get());
        } catch (IOException e) {
            throw new SecretException(path + ": cannot write: " + e, e);
        }
        return read().orElseThrow(() -> new SecretException(path + ": was removed"));
    }

    /** Complete and on the disk before it has its name; the first writer wins. */
    private void create(String text) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            Files.createDirectories(folder, MODE_700);
        }
        Path draft = Files.createTempFile(folder, path.getFileName() + ".", ".new", MODE_600);
        try {
            try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text + "\n");
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.createLink(path, draft);
        } catch (FileAlreadyExistsException _) {
            log.info("{} was made by another process meanwhile", path);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private void restrict() throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
        if (!OWNER_ONLY.containsAll(permissions)) {
            log.warn(
                    "{} could be read by others (mode {}): set to mode 600",
                    path,
                    PosixFilePermissions.toString(permissions));
            Files.setPosixFilePermissions(path, OWNER_ONLY);
        }
    }
}
