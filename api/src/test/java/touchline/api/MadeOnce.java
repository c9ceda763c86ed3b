package touchline.api;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that are dear to make, made once for all test JVMs. Tests read them and change none. */
public final class MadeOnce {
    private MadeOnce() {}

    /** Writes a file. */
    @FunctionalInterface
    public interface Maker {
        void write(Path file) throws IOException;
    }

    /**
     * Makes the file where it is not there yet. It is whole or not there, whatever ends this JVM.
     *
     * @param file named after all that it depends on
     */
    public static synchronized Path file(Path file, Maker maker) throws IOException {
        if (!Files.exists(file)) {
            Files.createDirectories(file.getParent());
            Path lock = file.resolveSibling(file.getFileName() + ".lock");
            try (FileChannel channel = FileChannel.open(lock, CREATE, WRITE);
                    FileLock _ = channel.lock()) {
                // Another test JVM may have made it while this one waited.
                if (!Files.exists(file)) {
                    make(file, maker);
                }
            }
        }
        return file;
    }

    private static void make(Path file, Maker maker) throws IOException {
        Path unfinished =
                Files.createTempFile(file.getParent(), "unfinished", "-" + file.getFileName());
        try {
            maker.write(unfinished);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
