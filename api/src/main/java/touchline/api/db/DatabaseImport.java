package touchline.api.db;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import touchline.config.DatabaseConfig;

/**
 * A new H2 database in a folder, made from the text of {@link DatabaseSnapshot}. Its tables are
 * those of this build's migrations, up to the newest one of the backup; rows are values and nothing
 * else, so a backup cannot make the database run anything. One thread; the opener closes it.
 */
public final class DatabaseImport implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int BATCH_ROWS = 500;
    private static final int COMMIT_ROWS = 20_000;

    /** More than a live stream has. */
    private static final long SEGMENTS_A_SECOND = 4;

    /** Blocks of numbers that a session reserves ahead. */
    private static final long SEQUENCE_RESERVE = 10_000;

    private static final long MAX_SECONDS = Duration.ofDays(3_650).toSeconds();

    private final Connection connection;

    /** Tables of the schema with their columns' types, all in upper case. */
    private final Map<String, Map<String, Integer>> tables;

    private record Head(String table, List<String> columns, Optional<String> identity, long next) {}

    private DatabaseImport(Connection connection) throws SQLException {
        this.connection = connection;
        this.tables = tables(connection);
    }

    /**
     * Makes the database.
     *
     * @param folder without a database
     * @param migrations of the schema of the backup
     * @throws DatabaseException if this build lacks one of them: the backup is of a newer server
     */
    public static DatabaseImport create(Path folder, List<String> migrations) {
        DatabaseAddress address =
                DatabaseAddress.of(
                        new DatabaseConfig(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                /* maxConnections= */ 2),
                        folder);
        Connection opened = null;
        try {
            opened = address.connect(PATIENCE);
            new Schema(source(address), address).migrateTo(migrations);
            opened.setAutoCommit(false);
            try (Statement statement = opened.createStatement()) {
                statement.execute("SET REFERENTIAL_INTEGRITY FALSE");
            }
            return new DatabaseImport(opened);
        } catch (SQLException e) {
            shutDown(opened);
            throw failure(e);
        } catch (DatabaseException e) {
            shutDown(opened);
            throw e;
        }
    }

    private static DataSource source(DatabaseAddress address) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(address.url());
        address.user().ifPresent(source::setUser);
        address.password().ifPresent(source::setPassword);
        return source;
    }

    private static Map<String, Map<String, Integer>> tables(Connection connection)
            throws SQLException {
        Map<String, Map<String, Integer>> tables = new LinkedHashMap<>();
        try (ResultSet columns =
                connection
                        .getMetaData()
                        .getColumns(null, "PUBLIC", /* tableNamePattern= */ "%", "%")) {
            while (columns.next()) {
                tables.computeIfAbsent(columns.getString("TABLE_NAME"), _ -> new LinkedHashMap<>())
                        .put(columns.getString("COLUMN_NAME"), columns.getInt("DATA_TYPE"));
            }
        }
        return tables;
    }

    /**
     * Replaces the rows of a table.
     *
     * @param table as the backup names it
     * @param in its text; stays open
     * @return how many rows
     * @throws BadRowsException if the text is not what a backup of this schema has
     */
    public long load(String table, InputStream in) throws IOException {
        try (MappingIterator<JsonNode> lines =
                JSON.readerFor(JsonNode.class)
                        .without(JsonParser.Feature.AUTO_CLOSE_SOURCE)
                        .readValues(in)) {
            if (!lines.hasNextValue()) {
                throw new BadRowsException(table + ": empty (expected: a line with its columns)");
            }
            Head head = head(table, lines.nextValue());
            return load(head, lines);
        } catch (JacksonException e) {
            throw new BadRowsException(table + ": " + e.getOriginalMessage(), e);
        } catch (SQLException | DateTimeException | IllegalArgumentException e) {
            throw new BadRowsException(table + ": " + e.getMessage(), e);
        }
    }

    private Head head(String table, JsonNode line) throws BadRowsException {
        List<String> columns = new ArrayList<>();
        line.path("columns").forEach(column -> columns.add(upper(column.asText())));
        Optional<String> identity =
                Optional.ofNullable(line.get("identity")).map(name -> upper(name.asText()));
        Head head =
                new Head(
                        upper(line.path("table").asText()),
                        columns,
                        identity,
                        line.path("next").asLong());
        Map<String, Integer> known = tables.getOrDefault(head.table(), Map.of());
        if (!head.table().equals(upper(table)) || known.isEmpty()) {
            throw new BadRowsException(table + ": no table of this schema");
        }
        if (columns.isEmpty() || !known.keySet().containsAll(columns)) {
            throw new BadRowsException(
                    "%s: columns %s (expected: of %s)".formatted(table, columns, known.keySet()));
        }
        return head;
    }

    private long load(Head head, MappingIterator<JsonNode> lines) throws SQLException, IOException {
        String names =
                head.columns().stream()
                        .map(DatabaseSnapshot::quoted)
                        .collect(Collectors.joining(", "));
        String marks = head.columns().stream().map(_ -> "?").collect(Collectors.joining(", "));
        String insert =
                "INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE VALUES (%s)"
                        .formatted(DatabaseSnapshot.quoted(head.table()), names, marks);
        long count = 0;
        execute("DELETE FROM " + DatabaseSnapshot.quoted(head.table()));
        try (PreparedStatement row = connection.prepareStatement(insert)) {
            while (lines.hasNextValue()) {
                bind(head, lines.nextValue(), row);
                row.addBatch();
                count++;
                if (count % BATCH_ROWS == 0) {
                    row.executeBatch();
                }
                if (count % COMMIT_ROWS == 0) {
                    connection.commit();
                }
            }
            row.executeBatch();
        }
        if (head.identity().isPresent()) {
            execute(
                    "ALTER TABLE %s ALTER COLUMN %s RESTART WITH %d"
                            .formatted(
                                    DatabaseSnapshot.quoted(head.table()),
                                    DatabaseSnapshot.quoted(head.identity().get()),
                                    head.next()));
        }
        connection.commit();
        return count;
    }

    private void bind(Head head, JsonNode values, PreparedStatement row)
            throws SQLException, IOException {
        if (!values.isArray() || values.size() != head.columns().size()) {
            throw new BadRowsException(
                    "%s: a row of %d values (expected: %d)"
                            .formatted(head.table(), values.size(), head.columns().size()));
        }
        Map<String, Integer> types = tables.getOrDefault(head.table(), Map.of());
        for (int i = 0; i < values.size(); i++) {
            int type = types.getOrDefault(head.columns().get(i), Types.OTHER);
            JsonNode value = values.get(i);
            if (value.isNull()) {
                row.setNull(i + 1, type);
                continue;
            }
            switch (type) {
                case Types.BIGINT, Types.INTEGER, Types.SMALLINT ->
                        row.setLong(i + 1, value.asLong());
                case Types.DOUBLE -> row.setDouble(i + 1, value.asDouble());
                case Types.BOOLEAN -> row.setBoolean(i + 1, value.asBoolean());
                case Types.VARCHAR -> row.setString(i + 1, value.asText());
                case Types.VARBINARY -> row.setBytes(i + 1, value.binaryValue());
                case Types.TIMESTAMP_WITH_TIMEZONE ->
                        row.setObject(i + 1, OffsetDateTime.parse(value.asText()));
                default ->
                        throw new BadRowsException(
                                "%s: a column of type %d".formatted(head.table(), type));
            }
        }
    }

    /**
     * Checks that no row refers to a missing one.
     *
     * @throws BadRowsException if one does
     */
    public void check() throws BadRowsException {
        try {
            execute("SET REFERENTIAL_INTEGRITY TRUE");
            for (String table : tables.keySet()) {
                execute(
                        "ALTER TABLE "
                                + DatabaseSnapshot.quoted(table)
                                + " SET REFERENTIAL_INTEGRITY TRUE CHECK");
            }
            connection.commit();
        } catch (SQLException e) {
            throw new BadRowsException(
                    "a row refers to another that is missing: " + e.getMessage(), e);
        }
    }

    /**
     * Moves the media sequence numbers of all streams behind those that the old server may have
     * used since the snapshot, so that players that were watching do not see them go back.
     *
     * @param sinceSnapshot by the clocks of two hosts
     */
    public void advanceMediaSequences(Duration sinceSnapshot) {
        long seconds = Math.clamp(sinceSnapshot.toSeconds(), 0, MAX_SECONDS);
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "UPDATE live_streams SET next_media_sequence = next_media_sequence + ?")) {
            statement.setLong(1, SEQUENCE_RESERVE + SEGMENTS_A_SECOND * seconds);
            int _ = statement.executeUpdate();
            connection.commit();
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** Ids of all assets. */
    public List<String> assets() {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM assets ORDER BY seq")) {
            List<String> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
            return ids;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /** Closes the database file. */
    @Override
    public void close() {
        shutDown(connection);
    }

    private static void shutDown(@Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        } catch (SQLException _) {
            // The statement's own connection is the first to find the database closed.
        }
    }

    private static DatabaseException failure(SQLException e) {
        return new DatabaseException("database: cannot be restored: " + e.getMessage(), e);
    }
}
