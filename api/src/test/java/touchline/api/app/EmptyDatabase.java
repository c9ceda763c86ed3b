package touchline.api.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import touchline.api.db.Database;
import touchline.config.DatabaseConfig;

/**
 * The database file that a server makes at its first start. Its schema is migrated once a JVM:
 * migrations are the subject of other tests.
 */
final class EmptyDatabase {
    private static final String FILE = "touchline.mv.db";
    private static final int CONNECTIONS = 2;

    private static final class Migrated {
        static final byte[] CONTENT = content();

        private static byte[] content() {
            try {
                Path folder = Files.createTempDirectory("touchline-database");
                DatabaseConfig config =
                        new DatabaseConfig(
                                Optional.empty(), Optional.empty(), Optional.empty(), CONNECTIONS);
                Database.open(config, folder).close();
                byte[] content = Files.readAllBytes(folder.resolve(FILE));
                Files.delete(folder.resolve(FILE));
                Files.delete(folder);
                return content;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private EmptyDatabase() {}

    /**
     * Puts it where a server with these variables would make it; leaves an older one alone.
     *
     * @param environment of the server
     */
    static void put(Map<String, String> environment) throws IOException {
        Path folder = Path.of(environment.getOrDefault("TOUCHLINE_DATA_DIR", ""));
        Path file = folder.resolve(FILE);
        if (!environment.containsKey("TOUCHLINE_DB_URL") && !Files.exists(file)) {
            Files.createDirectories(folder);
            Files.write(file, Migrated.CONTENT);
        }
    }
}
