package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.DatabaseConfig;

final class SchemaTest {
    private static final DatabaseConfig DEFAULT =
            new DatabaseConfig(
                    Optional.empty(), Optional.empty(), Optional.empty(), /* maxConnections= */ 2);

    @TempDir private Path folder;

    @Test
    void open_schemaOfANewerServer_isRefusedAndLeftAsItIs() {
        String newer =
                "INSERT INTO \"flyway_schema_history\" SELECT \"installed_rank\" + 1, '9000',"
                        + " 'of the future', 'SQL', 'V9000__of_the_future.sql', 1, 'x',"
                        + " CURRENT_TIMESTAMP, 1, TRUE FROM \"flyway_schema_history\""
                        + " ORDER BY \"installed_rank\" DESC FETCH FIRST ROW ONLY";
        try (Database database = Database.open(DEFAULT, folder)) {
            assertEquals(1, database.<Integer>with(handle -> handle.execute(newer)));
        }

        DatabaseException refused =
                assertThrows(DatabaseException.class, () -> Database.open(DEFAULT, folder));

        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("newer server (migration 9000)"), message);
    }
}
