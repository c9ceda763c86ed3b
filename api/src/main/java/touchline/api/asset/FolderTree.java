package touchline.api.asset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with everything in them. Links are never followed. Blocks; any thread. */
public final class FolderTree {
    private FolderTree() {}

    /** Removes a folder with its contents; no effect if there is none. */
    public static void remove(Path folder) throws IOException {
        for (Path file : walk(folder).sorted(Comparator.reverseOrder()).toList()) {
            Files.deleteIfExists(file);
        }
    }

    /** How many bytes its files hold; 0 where there is no such folder. */
    static long sizeBytes(Path folder) throws IOException {
        long sum = 0;
        for (Path file : walk(folder).toList()) {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    private static Stream<Path> walk(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Stream.empty();
        }
        List<Path> found;
        try (Stream<Path> files = Files.walk(folder)) {
            found = files.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return found.stream();
    }
}
