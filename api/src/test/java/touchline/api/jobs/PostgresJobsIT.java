package touchline.api.jobs;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import touchline.api.db.Database;
import touchline.api.db.TestPostgres;

/** Jobs on PostgreSQL. */
final class PostgresJobsIT extends JobsContract {
    private static Database database;

    @BeforeAll
    static void open() {
        database = Database.open(TestPostgres.newDatabase(), Path.of("does-not-exist"));
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
