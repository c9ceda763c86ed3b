package touchline.api.db;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import touchline.config.DatabaseConfig;

/** The repositories on H2 in memory. */
final class H2RepositoriesTest extends RepositoryContracts {
    private static Database database;

    @BeforeAll
    static void open() {
        database =
                Database.open(
                        new DatabaseConfig(
                                Optional.of("jdbc:h2:mem:repositories"),
                                Optional.of("sa"),
                                Optional.of(""),
                                /* maxConnections= */ 8),
                        Path.of("does-not-exist"));
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Override
    Database shared() {
        return database;
    }
}
