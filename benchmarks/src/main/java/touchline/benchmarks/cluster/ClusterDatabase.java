package touchline.benchmarks.cluster;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import touchline.benchmarks.load.TouchlineServer;

/**
 * A PostgreSQL of its own, with commits on disk before they are confirmed. It can be stopped,
 * killed and frozen, and is started again on the same files and port. A trigger records each change
 * of an owner. One thread at a time.
 */
public final class ClusterDatabase implements AutoCloseable {
    private static final String USER = "postgres";
    private static final Duration START = Duration.ofMinutes(2);
    private static final String OWNER_LOG =
            """
            CREATE TABLE owner_log (
                id BIGINT GENERATED ALWAYS AS IDENTITY,
                stream_id VARCHAR, epoch BIGINT, node_id VARCHAR, incarnation BIGINT,
                session_id VARCHAR, floor BIGINT);
            CREATE FUNCTION log_owner() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO owner_log
                    (stream_id, epoch, node_id, incarnation, session_id, floor)
                    VALUES (NEW.stream_id, NEW.epoch, NEW.node_id, NEW.incarnation,
                        NEW.session_id, NEW.floor);
                RETURN NEW;
            END $$;
            CREATE TRIGGER log_owner AFTER INSERT OR UPDATE ON stream_owners
                FOR EACH ROW EXECUTE FUNCTION log_owner();
            """;

    private final Path folder = Files.createTempDirectory("touchline-bench-postgres");
    private final int port = TouchlineServer.freePort();
    private EmbeddedPostgres server;

    private ClusterDatabase() throws IOException {
        server = launch();
    }

    /** Starts an empty one; the caller closes it. */
    public static ClusterDatabase start() throws IOException {
        return new ClusterDatabase();
    }

    private EmbeddedPostgres launch() throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("max_connections", "100")
                // The library switches it off, but a kill must not lose what was confirmed.
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(START)
                .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** On loopback. */
    int port() {
        return port;
    }

    /** What a server needs to use it. */
    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("TOUCHLINE_DB_URL", server.getJdbcUrl(USER, USER));
        environment.put("TOUCHLINE_DB_USER", USER);
        environment.put("TOUCHLINE_DB_PASSWORD", USER);
        return environment;
    }

    /** Records owners from now on: a server has made the tables. */
    void logOwners() throws IOException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(OWNER_LOG);
        } catch (SQLException e) {
            throw new IOException("the log of owners", e);
        }
    }

    /** The node that works with a stream. */
    Optional<String> owner(String stream) throws IOException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(
                                "SELECT node_id FROM stream_owners WHERE stream_id = ?")) {
            statement.setString(1, stream);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw new IOException("the owner of " + stream, e);
        }
    }

    /** All changes of owners, oldest first. */
    List<OwnerChange> ownerChanges() throws IOException {
        List<OwnerChange> changes = new ArrayList<>();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT stream_id, epoch, node_id, incarnation, session_id, floor"
                                        + " FROM owner_log ORDER BY id")) {
            while (rows.next()) {
                changes.add(change(rows));
            }
        } catch (SQLException e) {
            throw new IOException("the log of owners", e);
        }
        return changes;
    }

    private static OwnerChange change(ResultSet row) throws SQLException {
        String node = row.getString(3);
        return new OwnerChange(
                row.getString(1),
                row.getLong(2),
                node == null ? Optional.empty() : Optional.of(node + "#" + row.getLong(4)),
                Optional.ofNullable(row.getString(5)),
                row.getLong(6));
    }

    /** Ends it as an administrator does: its connections are closed, the port refuses. */
    void stop() throws IOException {
        server.close();
    }

    /** Ends all of its processes at once. */
    void kill() throws IOException {
        List<ProcessHandle> all = processes();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
        // Gives the lock of the folder back; the library logs that there is nothing to stop.
        server.close();
    }

    /** Starts it again after {@link #stop} or {@link #kill}. */
    void restart() throws IOException {
        Files.deleteIfExists(folder.resolve("data").resolve("postmaster.pid"));
        server = launch();
    }

    /** Nothing in it runs; connections stay open, and the system accepts further ones. */
    void freeze() throws IOException, InterruptedException {
        for (ProcessHandle process : processes()) {
            Signals.stop(process);
        }
    }

    /** It goes on. */
    void thaw() throws IOException, InterruptedException {
        for (ProcessHandle process : processes()) {
            Signals.resume(process);
        }
    }

    /** The first process, and those for connections. */
    private List<ProcessHandle> processes() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("data").resolve("postmaster.pid"));
        Optional<ProcessHandle> first = ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
        return first.stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .toList();
    }

    @Override
    public void close() throws IOException {
        server.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
