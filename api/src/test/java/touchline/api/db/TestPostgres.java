package touchline.api.db;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.config.DatabaseConfig;
import touchline.media.net.FreePorts;
import touchline.testing.Await;

/**
 * One PostgreSQL server for all test classes of this JVM, started on first use, ended with the JVM.
 * Nothing is synced to disk. PostgreSQL refuses to run as root: the library then runs it in a user
 * namespace without a mapping ({@code unshare -U}), where it has no root rights.
 */
public final class TestPostgres {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final class Holder {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                EmbeddedPostgres server =
                        EmbeddedPostgres.builder()
                                .setServerConfig("fsync", "off")
                                .setServerConfig("full_page_writes", "off")
                                .setServerConfig("synchronous_commit", "off")
                                .setServerConfig("max_connections", "60")
                                .setPort(FreePorts.next())
                                .setPGStartupWait(Await.PATIENCE)
                                .start();
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private TestPostgres() {}

    /** The address of a new, empty database. */
    public static DatabaseConfig newDatabase() {
        String name = "test" + DATABASES.incrementAndGet();
        try (Connection connection = Holder.SERVER.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("create database " + name, e);
        }
        return new DatabaseConfig(
                Optional.of("jdbc:postgresql://localhost:" + Holder.SERVER.getPort() + "/" + name),
                Optional.of("postgres"),
                Optional.of("postgres"),
                /* maxConnections= */ 8);
    }

    /** The caller closes it. */
    public static Connection connect(DatabaseConfig database) throws SQLException {
        return DriverManager.getConnection(
                database.url().orElseThrow(),
                database.user().orElseThrow(),
                database.password().orElseThrow());
    }

    /** Whether a query has a row, asked in a connection of its own. */
    public static boolean has(DatabaseConfig database, String query, Object... values) {
        try (Connection connection = connect(database);
                PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }
}
