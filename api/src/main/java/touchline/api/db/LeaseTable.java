package touchline.api.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The lease of the only server of a database: one row. Nodes of a cluster keep it out too. Each
 * call is one transaction. One thread at a time.
 */
final class LeaseTable implements LeaseStore {
    /** Name of the migration that creates the table, as in its file. */
    static final String MIGRATION = "server lease";

    private final LeaseConnection database;
    private final Duration lease;
    private final boolean hasNodes;

    /**
     * @param lease how long the lease lasts without a renewal
     * @param hasNodes whether the schema has the table of a cluster's nodes
     */
    LeaseTable(DatabaseAddress address, Duration lease, boolean hasNodes) {
        this.database = new LeaseConnection(address);
        this.lease = lease;
        this.hasNodes = hasNodes;
    }

    @Override
    public List<LeaseRow> holders() throws SQLException {
        return database.call(
                connection -> {
                    List<LeaseRow> rows = new ArrayList<>();
                    rows.add(server(connection));
                    if (hasNodes) {
                        rows.addAll(NodeTable.rows(connection, "state <> 'gone'"));
                    }
                    return rows;
                });
    }

    /** The row of the only server. */
    static LeaseRow server(Connection connection) throws SQLException {
        String query =
                "SELECT incarnation, beats, lease_until_ms, since_ms, name, process, lease_until_ms < "
                        + LeaseConnection.NOW
                        + " AS is_over FROM server_lease WHERE id = 1";
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("server_lease: no row (expected: one)");
            }
            return new LeaseRow(
                    LeaseRow.SERVER,
                    row.getLong("incarnation"),
                    row.getLong("beats"),
                    row.getLong("lease_until_ms") == 0,
                    row.getBoolean("is_over"),
                    Instant.ofEpochMilli(row.getLong("since_ms")),
                    row.getString("name"),
                    row.getString("process"));
        }
    }

    /** A node that joins changes the row too: so one of two servers that start at once fails. */
    @Override
    public long take(List<LeaseRow> seen, LeaseHolder holder) throws SQLException {
        LeaseRow server = seen.getFirst();
        boolean taken =
                database.transaction(
                        connection -> {
                            if (!take(connection, server, holder)) {
                                return false;
                            }
                            for (LeaseRow node : seen.subList(1, seen.size())) {
                                NodeTable.end(connection, node);
                            }
                            return true;
                        });
        return taken ? server.incarnation() + 1 : 0;
    }

    private boolean take(Connection connection, LeaseRow seen, LeaseHolder holder)
            throws SQLException {
        String update =
                "UPDATE server_lease SET incarnation = incarnation + 1, beats = 0, lease_until_ms = "
                        + LeaseConnection.NOW
                        + " + ?, since_ms = "
                        + LeaseConnection.NOW
                        + ", name = ?, process = ? WHERE id = 1 AND incarnation = ? AND beats = ?";
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setLong(1, lease.toMillis());
            statement.setString(2, holder.name());
            statement.setString(3, holder.process());
            statement.setLong(4, seen.incarnation());
            statement.setLong(5, seen.beats());
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public boolean renew(long incarnation) throws SQLException {
        return changed(
                "UPDATE server_lease SET beats = beats + 1, lease_until_ms = "
                        + LeaseConnection.NOW
                        + " + "
                        + lease.toMillis()
                        + " WHERE id = 1 AND incarnation = ?",
                incarnation);
    }

    @Override
    public boolean isHeld(long incarnation) throws SQLException {
        return database.call(LeaseTable::server).incarnation() == incarnation;
    }

    @Override
    public void release(long incarnation) throws SQLException {
        boolean _ =
                changed(
                        "UPDATE server_lease SET lease_until_ms = 0, process = ''"
                                + " WHERE id = 1 AND incarnation = ?",
                        incarnation);
    }

    @Override
    public String taker() throws SQLException {
        return "the server " + database.call(LeaseTable::server).name() + " has taken over";
    }

    private boolean changed(String update, long incarnation) throws SQLException {
        return database.call(
                connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(update)) {
                        statement.setLong(1, incarnation);
                        return statement.executeUpdate() == 1;
                    }
                });
    }

    @Override
    public void close() {
        database.close();
    }
}
