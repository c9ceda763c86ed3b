package touchline.api.db;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import touchline.config.DatabaseConfig;

/**
 * Databases in memory with this server's schema, each of its own. The schema is migrated once a
 * JVM: migrations are the subject of other tests.
 */
public final class MemoryDatabase {
    private static final String USER = "sa";
    private static final int CONNECTIONS = 8;

    /** The statements that make a migrated database. */
    private static final class Migrated {
        static final List<String> SCRIPT = script();

        private static List<String> script() {
            DatabaseConfig config = config();
            List<String> script = new ArrayList<>();
            try (Database database = Database.open(config, folder());
                    Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet lines = statement.executeQuery("SCRIPT NOPASSWORDS")) {
                while (lines.next()) {
                    script.add(lines.getString(1));
                }
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            return List.copyOf(script);
        }
    }

    /** Of a node that is well. */
    public static final NodeIdentity.Heartbeats HEARTBEATS =
            new NodeIdentity.Heartbeats() {
                @Override
                public Duration lateness() {
                    return Duration.ZERO;
                }

                @Override
                public Duration age() {
                    return Duration.ZERO;
                }

                @Override
                public Duration unbroken() {
                    return Duration.ofMinutes(1);
                }
            };

    private MemoryDatabase() {}

    public static Database open() {
        return open(InstantSource.system());
    }

    /**
     * @param clock source of the times of events
     */
    public static Database open(InstantSource clock) {
        return open(config(), clock);
    }

    /**
     * @param config names a new database in memory
     */
    public static Database open(DatabaseConfig config, InstantSource clock) {
        return opened(config, () -> Database.openMigrated(config, folder(), clock));
    }

    /** As a node of a cluster, without its lease: only its id is known. */
    public static Database openNode(String id) {
        DatabaseConfig config = config();
        DatabaseAddress address = DatabaseAddress.of(config, folder());
        return opened(
                config,
                () ->
                        new Database(
                                DatabasePool.connect(address, config, DatabasePool.PATIENCE),
                                address,
                                InstantSource.system(),
                                /* lease= */ null,
                                Optional.of(
                                        new NodeIdentity(id, /* incarnation= */ 1, HEARTBEATS))));
    }

    private static Database opened(DatabaseConfig config, Supplier<Database> opening) {
        String url = DatabaseAddress.of(config, folder()).url();
        // The database ends with its last connection.
        try (Connection connection = DriverManager.getConnection(url, USER, "");
                Statement statement = connection.createStatement()) {
            for (String each : Migrated.SCRIPT) {
                statement.execute(each);
            }
            return opening.get();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static DatabaseConfig config() {
        return new DatabaseConfig(
                Optional.of("jdbc:h2:mem:" + UUID.randomUUID()),
                Optional.of(USER),
                Optional.of(""),
                CONNECTIONS);
    }

    /** Not used where the address is configured. */
    private static Path folder() {
        return Path.of("does-not-exist");
    }
}
