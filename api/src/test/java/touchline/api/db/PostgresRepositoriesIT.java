package touchline.api.db;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The repositories on PostgreSQL. */
final class PostgresRepositoriesIT extends RepositoryContracts {
    private static Database database;

    @BeforeAll
    static void open() {
        database = Database.open(TestPostgres.newDatabase(), Path.of("does-not-exist"));
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
