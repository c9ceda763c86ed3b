package touchline.api.db;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import touchline.config.DatabaseConfig;

/** The repositories on H2 in memory. */
final class H2RepositoriesTest {
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

    @Nested
    final class Streams extends StreamRepositoryContract {
        @Override
        Database database() {
            return database;
        }
    }

    @Nested
    final class Sessions extends SessionRepositoryContract {
        @Override
        Database database() {
            return database;
        }
    }

    @Nested
    final class Sequences extends MediaSequencesContract {
        @Override
        Database database() {
            return database;
        }
    }

    @Nested
    final class Tokens extends TokenRepositoryContract {
        @Override
        Database database() {
            return database;
        }
    }

    @Nested
    final class Idempotency extends IdempotencyRepositoryContract {
        @Override
        Database database() {
            return database;
        }
    }
}
