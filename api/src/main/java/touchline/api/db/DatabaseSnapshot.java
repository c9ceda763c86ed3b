package touchline.api.db;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.h2.engine.Constants;
import org.jspecify.annotations.Nullable;

/**
 * All rows of an H2 database as they were at one moment, while the server goes on writing: one
 * transaction with snapshot isolation, on a connection of its own. One thread; the opener closes
 * it.
 *
 * <p>A table is text in UTF-8, a JSON value a line. The first line describes the table, each other
 * line is a row. Bytes are base64, times are ISO 8601:
 *
 * <pre>
 * {"table": "live_streams", "columns": ["id", "seq"], "identity": "seq", "next": 34}
 * ["2f6c", 33]
 * </pre>
 *
 * Definitions of tables are not part of it: {@link DatabaseImport} makes them by the migrations.
 */
public final class DatabaseSnapshot implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Written by the migrations, and by the processes that work with the database. */
    private static final Set<String> LEFT_OUT =
            Set.of(
                    "flyway_schema_history",
                    "server_lease",
                    "nodes",
                    "stream_owners",
                    "endpoint_owners",
                    "cluster_changes");

    private static final String ASSETS =
            "SELECT id, live, status = 'ready' OR finished_at_ms IS NOT NULL, size_bytes"
                    + " FROM assets ORDER BY seq";

    private static final Set<Integer> TYPES =
            Set.of(
                    Types.BIGINT,
                    Types.INTEGER,
                    Types.SMALLINT,
                    Types.DOUBLE,
                    Types.BOOLEAN,
                    Types.VARCHAR,
                    Types.VARBINARY,
                    Types.TIMESTAMP_WITH_TIMEZONE);

    /** Of this server's tables. */
    private static final String SCHEMA = "PUBLIC";

    private final Connection connection;
    private final JsonFactory json =
            new JsonFactoryBuilder()
                    .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                    .rootValueSeparator("\n")
                    .build();

    /** Migrations that the schema has, oldest first. Read first: this fixes the snapshot. */
    private final List<String> migrations;

    /**
     * An asset's row, as far as its files are concerned.
     *
     * @param live it is being recorded
     * @param stored all of it is stored, or was before its files were lost
     */
    public record AssetRow(String id, boolean live, boolean stored, long sizeBytes) {}

    private record Identity(String column, long next) {}

    private DatabaseSnapshot(Connection connection) throws SQLException {
        this.connection = connection;
        this.migrations =
                texts(
                        "SELECT \"version\" FROM \"flyway_schema_history\""
                                + " WHERE \"version\" IS NOT NULL AND \"success\""
                                + " ORDER BY \"installed_rank\"");
    }

    static DatabaseSnapshot open(DatabaseAddress address) {
        if (!address.isH2()) {
            throw new IllegalArgumentException(address + " (expected: H2)");
        }
        Connection opened = null;
        try {
            opened = address.connect(PATIENCE);
            opened.setAutoCommit(false);
            opened.setTransactionIsolation(Constants.TRANSACTION_SNAPSHOT);
            try (Statement statement = opened.createStatement()) {
                // Rows are read when they are written, not collected in memory before.
                statement.execute("SET LAZY_QUERY_EXECUTION 1");
            }
            return new DatabaseSnapshot(opened);
        } catch (SQLException e) {
            closeQuietly(opened);
            throw failure(e);
        }
    }

    /** Versions of the migrations that the schema has, oldest first. */
    public List<String> migrations() {
        return migrations;
    }

    /** Names of all tables, sorted. */
    public List<String> tables() {
        try {
            return texts(
                            "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES"
                                    + " WHERE TABLE_SCHEMA = 'PUBLIC' AND TABLE_TYPE = 'BASE TABLE'"
                                    + " ORDER BY TABLE_NAME")
                    .stream()
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .filter(name -> !LEFT_OUT.contains(name))
                    .toList();
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** All assets, oldest first. */
    public List<AssetRow> assets() {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ASSETS)) {
            List<AssetRow> assets = new ArrayList<>();
            while (rows.next()) {
                assets.add(asset(rows));
            }
            return assets;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** All assets of a database now, without a snapshot. */
    public static List<AssetRow> assets(Database database) {
        return database.with(
                handle -> handle.createQuery(ASSETS).map((row, _) -> asset(row)).list());
    }

    private static AssetRow asset(ResultSet row) throws SQLException {
        return new AssetRow(row.getString(1), row.getBoolean(2), row.getBoolean(3), row.getLong(4));
    }

    /**
     * Writes a table.
     *
     * @param table one of {@link #tables}
     * @param out stays open
     * @return how many rows
     */
    public long write(String table, OutputStream out) throws IOException {
        String name = table.toUpperCase(Locale.ROOT);
        String query = "SELECT * FROM " + quoted(name) + " ORDER BY 1";
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query);
                JsonGenerator line = json.createGenerator(out)) {
            line.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            ResultSetMetaData columns = rows.getMetaData();
            writeHead(table, columns, line);
            long count = 0;
            while (rows.next()) {
                line.writeStartArray();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    writeValue(rows, i, columns.getColumnType(i), line);
                }
                line.writeEndArray();
                count++;
            }
            line.writeRaw('\n');
            return count;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private void writeHead(String table, ResultSetMetaData columns, JsonGenerator line)
            throws SQLException, IOException {
        line.writeStartObject();
        line.writeStringField("table", table);
        line.writeArrayFieldStart("columns");
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            requireKnown(columns.getColumnName(i), columns.getColumnType(i));
            line.writeString(columns.getColumnName(i).toLowerCase(Locale.ROOT));
        }
        line.writeEndArray();
        for (Identity identity : identities(table)) {
            line.writeStringField("identity", identity.column());
            line.writeNumberField("next", identity.next());
        }
        line.writeEndObject();
    }

    /** The column that the database numbers, if there is one, and its next number. */
    private List<Identity> identities(String table) throws SQLException {
        String query =
                "SELECT COLUMN_NAME, IDENTITY_BASE FROM INFORMATION_SCHEMA.COLUMNS"
                        + " WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND IS_IDENTITY = 'YES'";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, SCHEMA);
            statement.setString(2, table.toUpperCase(Locale.ROOT));
            try (ResultSet rows = statement.executeQuery()) {
                List<Identity> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(
                            new Identity(
                                    rows.getString(1).toLowerCase(Locale.ROOT), rows.getLong(2)));
                }
                return found;
            }
        }
    }

    private static void writeValue(ResultSet row, int column, int type, JsonGenerator line)
            throws SQLException, IOException {
        if (row.getObject(column) == null) {
            line.writeNull();
            return;
        }
        switch (type) {
            case Types.BIGINT, Types.INTEGER, Types.SMALLINT ->
                    line.writeNumber(row.getLong(column));
            case Types.DOUBLE -> line.writeNumber(row.getDouble(column));
            case Types.BOOLEAN -> line.writeBoolean(row.getBoolean(column));
            case Types.VARCHAR -> line.writeString(row.getString(column));
            case Types.VARBINARY -> line.writeBinary(row.getBytes(column));
            case Types.TIMESTAMP_WITH_TIMEZONE ->
                    line.writeString(row.getObject(column, OffsetDateTime.class).toString());
            default -> throw unknown(row.getMetaData().getColumnName(column), type);
        }
    }

    /** A table without rows must not hide that a backup lacks a type. */
    private static void requireKnown(String column, int type) {
        if (!TYPES.contains(type)) {
            throw unknown(column, type);
        }
    }

    private static IllegalStateException unknown(String column, int type) {
        return new IllegalStateException(
                "column %s: type %d (expected: one that a backup knows)".formatted(column, type));
    }

    @Override
    public void close() {
        closeQuietly(connection);
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        try (connection) {
            connection.rollback();
        } catch (SQLException _) {
            // Nothing was written.
        }
    }

    private List<String> texts(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return List.copyOf(texts);
        }
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static DatabaseException failure(SQLException e) {
        return new DatabaseException("database: cannot be read for a backup: " + e.getMessage(), e);
    }
}
