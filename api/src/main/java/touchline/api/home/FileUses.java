package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When files were last used: in memory since the start, before that when they were written. About
 * 200 bytes a file. Any thread.
 */
final class FileUses {
    private final InstantSource clock;
    private final Map<Path, Long> atMs = new ConcurrentHashMap<>();

    FileUses(InstantSource clock) {
        this.clock = clock;
    }

    void used(Path file) {
        atMs.put(file, clock.millis());
    }

    /** Last use, in milliseconds since 1970. */
    long lastMs(Path file) throws IOException {
        Long known = atMs.get(file);
        return known != null ? known : Files.getLastModifiedTime(file).toMillis();
    }

    /** The file was removed. */
    void forget(Path file) {
        atMs.remove(file);
    }
}
