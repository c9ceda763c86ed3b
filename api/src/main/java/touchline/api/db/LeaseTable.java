package touchline.api.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The row of the lease, on a connection of its own: a busy pool does not delay it. Each call is one
 * statement, which compares times of the database's clock only. A connection that broke is opened
 * again. One thread at a time.
 */
final class LeaseTable implements AutoCloseable {
    /** Name of the migration that creates the table, as in its file. */
    static final String MIGRATION = "server lease";

    /** The connection and each answer of the server may take this long. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private static final String NOW =
            "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)";

    private final DatabaseAddress address;
    private final Duration lease;
    private @Nullable Connection open;

    /**
     * @param incarnation number of the server that took it last
     * @param beats renewals by this server
     * @param free never taken, or given back
     * @param over was not renewed in time
     */
    record Row(
            long incarnation,
            long beats,
            boolean free,
            boolean over,
            Instant since,
            String name,
            String process) {
        /** Whether the holder has not renewed it since the other row was read. */
        boolean isUnchangedSince(Row earlier) {
            return incarnation == earlier.incarnation && beats == earlier.beats;
        }
    }

    private interface Statement<T> {
        T run(Connection connection) throws SQLException;
    }

    /**
     * @param lease how long the lease lasts without a renewal
     */
    LeaseTable(DatabaseAddress address, Duration lease) {
        this.address = address;
        this.lease = lease;
    }

    Row read() throws SQLException {
        String query =
                "SELECT incarnation, beats, lease_until_ms, since_ms, name, process, lease_until_ms < "
                        + NOW
                        + " AS is_over FROM server_lease WHERE id = 1";
        return call(
                connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(query);
                            ResultSet row = statement.executeQuery()) {
                        if (!row.next()) {
                            throw new SQLException("server_lease: no row (expected: one)");
                        }
                        return new Row(
                                row.getLong("incarnation"),
                                row.getLong("beats"),
                                row.getLong("lease_until_ms") == 0,
                                row.getBoolean("is_over"),
                                Instant.ofEpochMilli(row.getLong("since_ms")),
                                row.getString("name"),
                                row.getString("process"));
                    }
                });
    }

    /** Takes the lease, unless another server changed the row since it was read. */
    boolean take(Row seen, LeaseHolder holder) throws SQLException {
        String update =
                "UPDATE server_lease SET incarnation = incarnation + 1, beats = 0, lease_until_ms = "
                        + NOW
                        + " + ?, since_ms = "
                        + NOW
                        + ", name = ?, process = ? WHERE id = 1 AND incarnation = ? AND beats = ?";
        return once(
                connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(update)) {
                        statement.setLong(1, lease.toMillis());
                        statement.setString(2, holder.name());
                        statement.setString(3, holder.process());
                        statement.setLong(4, seen.incarnation());
                        statement.setLong(5, seen.beats());
                        return statement.executeUpdate() == 1;
                    }
                });
    }

    /** Renews the lease; false if another server has it. */
    boolean renew(long incarnation) throws SQLException {
        return changed(
                "UPDATE server_lease SET beats = beats + 1, lease_until_ms = "
                        + NOW
                        + " + "
                        + lease.toMillis()
                        + " WHERE id = 1 AND incarnation = ?",
                incarnation);
    }

    /** Gives it back, if it is still this server's. */
    boolean release(long incarnation) throws SQLException {
        return changed(
                "UPDATE server_lease SET lease_until_ms = 0, process = ''"
                        + " WHERE id = 1 AND incarnation = ?",
                incarnation);
    }

    private boolean changed(String update, long incarnation) throws SQLException {
        return call(
                connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(update)) {
                        statement.setLong(1, incarnation);
                        return statement.executeUpdate() == 1;
                    }
                });
    }

    private <T> T call(Statement<T> statement) throws SQLException {
        boolean reused = open != null;
        try {
            return once(statement);
        } catch (SQLException e) {
            if (!reused) {
                throw e;
            }
            return once(statement);
        }
    }

    private <T> T once(Statement<T> statement) throws SQLException {
        try {
            return statement.run(connection());
        } catch (SQLException e) {
            close();
            throw e;
        }
    }

    private Connection connection() throws SQLException {
        Connection now = open;
        if (now == null) {
            now = address.connect(PATIENCE);
            open = now;
        }
        return now;
    }

    @Override
    public void close() {
        Connection now = open;
        open = null;
        if (now != null) {
            try {
                now.close();
            } catch (SQLException _) {
                // It is broken, and gone for this process.
            }
        }
    }
}
