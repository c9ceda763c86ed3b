package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.h2.jdbc.JdbcException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StreamDefinition;
import touchline.config.DatabaseConfig;

/** The disk with the database is full, more than once, and has space again. */
@Timeout(120)
final class DatabaseFullTest {
    @TempDir private Path folder;

    @BeforeAll
    static void register() {
        FullDisk.register();
    }

    @AfterEach
    void free() {
        FullDisk.full(false);
    }

    private Database open() {
        String url = "jdbc:h2:" + FullDisk.SCHEME + ":" + folder.resolve("database");
        return Database.open(
                new DatabaseConfig(
                        Optional.of(url),
                        Optional.of("sa"),
                        Optional.of(""),
                        /* maxConnections= */ 4),
                folder);
    }

    @Test
    void writing_whileTheDiskIsFull_isRefused_andGoesOnWhenThereIsSpace() {
        List<StreamDefinition> confirmed = new ArrayList<>();
        try (Database database = open()) {
            StreamRepository streams = new StreamRepository(database, Samples.vault());
            for (int i = 0; i < 3; i++) {
                confirmed.add(created(streams));

                FullDisk.full(true);
                for (int again = 0; again < 3; again++) {
                    DatabaseException failure =
                            assertThrows(DatabaseException.class, () -> created(streams));
                    assertTrue(failure.isDiskFull(), failure::toString);
                    assertEquals(List.of(), askedAgain(failure));
                    assertEquals(confirmed.size(), count(streams));
                }
                FullDisk.full(false);

                confirmed.add(created(streams));
                assertEquals(confirmed.size(), count(streams));
            }
        }
        try (Database database = open()) {
            StreamRepository streams = new StreamRepository(database, Samples.vault());
            assertEquals(confirmed.size(), count(streams));
            confirmed.forEach(
                    stream -> assertEquals(Optional.of(stream), streams.find(stream.id())));
        }
    }

    /** What H2 has said to statements after the one that has failed. */
    private static List<Throwable> askedAgain(Throwable failure) {
        List<Throwable> found = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            for (Throwable later : cause.getSuppressed()) {
                for (Throwable each = later; each != null; each = each.getCause()) {
                    if (each instanceof JdbcException) {
                        found.add(each);
                    }
                }
                found.addAll(askedAgain(later));
            }
        }
        return found;
    }

    private static StreamDefinition created(StreamRepository streams) {
        StreamDefinition stream = Samples.stream();
        streams.create(stream);
        return stream;
    }

    private static long count(StreamRepository streams) {
        return streams.list(new StreamFilter.All(), PageRequest.FIRST).total();
    }
}
