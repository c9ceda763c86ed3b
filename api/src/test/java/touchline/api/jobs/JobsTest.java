package touchline.api.jobs;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import touchline.api.db.Database;
import touchline.config.DatabaseConfig;

/** Jobs on H2 in memory. */
final class JobsTest extends JobsContract {
    private static Database database;

    @BeforeAll
    static void open() {
        database =
                Database.open(
                        new DatabaseConfig(
                                Optional.of("jdbc:h2:mem:jobs"),
                                Optional.of("sa"),
                                Optional.of(""),
                                /* maxConnections= */ 8),
                        Path.of("does-not-exist"));
    }

    @AfterAll
    static void shut() {
        database.close();
    }

    @Override
    Database database() {
        return database;
    }
}
