package touchline.api.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last backup that was written to its end, in a file of the data folder: an alert about its age
 * must not start anew with each server. Any thread.
 */
public final class LastBackup {
    private static final Logger log = LoggerFactory.getLogger(LastBackup.class);
    private static final String FILE = "last.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;

    /** Read by metrics. */
    private volatile @Nullable Entry entry;

    /**
     * @param createdAt of the database's snapshot
     * @param sizeBytes of the archive
     */
    public record Entry(Instant createdAt, long sizeBytes, boolean media) {}

    private LastBackup(Path file) {
        this.file = file;
    }

    static LastBackup load(Path folder) {
        LastBackup last = new LastBackup(folder.resolve(FILE));
        try {
            JsonNode json = JSON.readTree(Files.readAllBytes(last.file));
            last.entry =
                    new Entry(
                            Instant.parse(json.path("created_at").asText()),
                            json.path("size_bytes").asLong(),
                            json.path("media").asBoolean());
        } catch (NoSuchFileException _) {
            // None was made yet.
        } catch (IOException | DateTimeException e) {
            log.warn("{} cannot be read: {}", last.file, e.toString());
        }
        return last;
    }

    Optional<Entry> entry() {
        return Optional.ofNullable(entry);
    }

    void store(Entry made) {
        entry = made;
        Path draft = file.resolveSibling(FILE + ".tmp");
        try {
            Files.write(
                    draft,
                    JSON.writeValueAsBytes(
                            JSON.createObjectNode()
                                    .put("created_at", made.createdAt().toString())
                                    .put("size_bytes", made.sizeBytes())
                                    .put("media", made.media())));
            Files.move(
                    draft,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            log.warn("{} is not stored: {}", file, e.toString());
        }
    }
}
