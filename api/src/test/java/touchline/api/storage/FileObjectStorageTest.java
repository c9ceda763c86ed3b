package touchline.api.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.store.Umask;

final class FileObjectStorageTest {
    @TempDir Path root;

    /** As the parent of this process, which no test changes. */
    private static int inheritedUmask() throws IOException {
        long parent = ProcessHandle.current().parent().orElseThrow().pid();
        return Files.readAllLines(Path.of("/proc", Long.toString(parent), "status")).stream()
                .filter(line -> line.startsWith("Umask:"))
                .map(line -> Integer.parseInt(line.substring("Umask:".length()).strip(), 8))
                .findFirst()
                .orElseThrow();
    }

    private static int mode(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:mode") & 0777;
    }

    /** The operator's programs read them: only the data folder is closed. */
    @Test
    void outputs_haveTheRightsOfTheOperatorsUmask() throws Exception {
        Umask.ownerOnly();
        Path source = Files.writeString(root.resolve("source"), "movie", StandardCharsets.UTF_8);

        try (FileObjectStorage storage = new FileObjectStorage(root.resolve("out"), "bucket")) {
            storage.put(
                    "one/two/movie.mp4", new ObjectStorage.FileSlice(source, 0, 5), "video/mp4");
        }

        Path folder = root.resolve("out/bucket/one/two");
        assertEquals(0666 & ~inheritedUmask(), mode(folder.resolve("movie.mp4")));
        assertEquals(0777 & ~inheritedUmask(), mode(folder));
        assertEquals(0777 & ~inheritedUmask(), mode(root.resolve("out/bucket")));
        assertEquals(0600, mode(source));
    }
}
