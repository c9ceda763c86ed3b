package touchline.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clock of one process, by Debian's libfaketime: it can be put forward while the process
 * runs. The monotonic clock stays right.
 */
final class Clock {
    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final String LIBRARY = "faketime/libfaketime.so.1";

    private final Path library;
    private final Path file;

    private Clock(Path library, Path file) throws IOException {
        this.library = library;
        this.file = file;
        putForward(Duration.ZERO);
    }

    /**
     * A clock that is right.
     *
     * @return empty where the package is not installed
     */
    static Optional<Clock> create(Path folder, String name) throws IOException {
        try (Stream<Path> found = Files.find(LIBRARIES, 4, (path, _) -> path.endsWith(LIBRARY))) {
            Optional<Path> library = found.findFirst();
            return library.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Clock(library.get(), folder.resolve("clock-" + name)));
        }
    }

    /** Variables of the process. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // Else timed waits of a JVM return at once.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }

    /** Within a second, the clock is ahead by this. */
    void putForward(Duration by) throws IOException {
        Files.writeString(file, "+" + by.toSeconds() + "s\n");
    }
}
