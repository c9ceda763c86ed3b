package touchline.api.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Registry;
import touchline.api.cluster.ownership.Takeover;

/**
 * The lease of a node: its row among those of the cluster. A server without a cluster keeps it out,
 * and so does another process under the same id. One thread at a time.
 */
final class NodeTable implements LeaseStore {
    /** Name of the migration that creates the table, as in its file. */
    static final String MIGRATION = "cluster";

    /** Name of the migration without which a node cannot join. */
    static final String NEEDED = "ownership";

    private final LeaseConnection database;
    private final Duration lease;
    private final NodeSettings node;
    private final NodeLoad load;
    private final NodeExchange exchange;
    private final OwnershipTimes times;

    NodeTable(DatabaseAddress address, ServerDatabase.Joining joining) {
        this.database = new LeaseConnection(address);
        this.lease = joining.lease();
        this.node = joining.node();
        this.load = joining.load();
        this.exchange = joining.exchange();
        this.times = exchange.times();
    }

    @Override
    public List<LeaseRow> holders() throws SQLException {
        return database.call(
                connection -> {
                    List<LeaseRow> rows = new ArrayList<>();
                    rows.add(LeaseTable.server(connection));
                    own(connection).ifPresent(rows::add);
                    return rows;
                });
    }

    private Optional<LeaseRow> own(Connection connection) throws SQLException {
        String key = LeaseRow.keyOf(node.id());
        return rows(connection, "1 = 1").stream().filter(row -> row.key().equals(key)).findFirst();
    }

    /**
     * Reads nodes.
     *
     * @param condition of SQL, a constant
     */
    static List<LeaseRow> rows(Connection connection, String condition) throws SQLException {
        String query =
                "SELECT id, incarnation, beats, state, since_ms, name, process, lease_until_ms < "
                        + LeaseConnection.NOW
                        + " AS is_over FROM nodes WHERE "
                        + condition;
        List<LeaseRow> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                rows.add(
                        new LeaseRow(
                                LeaseRow.keyOf(row.getString("id")),
                                row.getLong("incarnation"),
                                row.getLong("beats"),
                                "gone".equals(row.getString("state")),
                                row.getBoolean("is_over"),
                                Instant.ofEpochMilli(row.getLong("since_ms")),
                                row.getString("name"),
                                row.getString("process")));
            }
        }
        return rows;
    }

    /** Declares a node dead that was seen so. */
    static void end(Connection connection, LeaseRow node) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "UPDATE nodes SET state = 'gone' WHERE id = ? AND incarnation = ?")) {
            statement.setString(1, node.key().substring(LeaseRow.keyOf("").length()));
            statement.setLong(2, node.incarnation());
            statement.executeUpdate();
        }
    }

    /**
     * What the cluster is like before this node joins.
     *
     * @param clockMs time of the database
     * @param others nodes that are alive
     */
    record Seen(long clockMs, List<NodeSettings> others) {
        /**
         * How far the clock of the database is ahead of this host's.
         *
         * @param beforeMs the time of this host before the look
         * @param afterMs and after it
         */
        Duration ahead(long beforeMs, long afterMs) {
            return Duration.ofMillis(clockMs - beforeMs - (afterMs - beforeMs) / 2);
        }
    }

    Seen look() throws SQLException {
        return database.call(
                connection -> {
                    long clockMs = single(connection);
                    List<NodeSettings> others = new ArrayList<>();
                    try (PreparedStatement statement =
                            connection.prepareStatement(
                                    "SELECT * FROM nodes WHERE state <> 'gone' AND id <> ?"
                                            + " AND lease_until_ms >= "
                                            + LeaseConnection.NOW
                                            + " ORDER BY id")) {
                        statement.setString(1, node.id());
                        try (ResultSet row = statement.executeQuery()) {
                            while (row.next()) {
                                others.add(settings(row));
                            }
                        }
                    }
                    return new Seen(clockMs, others);
                });
    }

    private static long single(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT " + LeaseConnection.NOW);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("the time of the database: no row (expected: one)");
            }
            return row.getLong(1);
        }
    }

    private static NodeSettings settings(ResultSet row) throws SQLException {
        return new NodeSettings(
                row.getString("id"),
                List.of(row.getString("roles").split(",", -1)),
                row.getString("version"),
                row.getString("config_hash"),
                row.getString("key_check"),
                row.getString("secret_check"));
    }

    /** The row of the only server changes too: so one of two servers that start at once fails. */
    @Override
    public long take(List<LeaseRow> seen, LeaseHolder holder) throws SQLException {
        LeaseRow server = seen.getFirst();
        Optional<LeaseRow> own = seen.stream().filter(LeaseRow::isNode).findFirst();
        long sentAtNs = System.nanoTime();
        boolean taken =
                database.transaction(
                        connection ->
                                keepServersOut(connection, server)
                                        && (own.isEmpty()
                                                ? insert(connection, holder)
                                                : retire(connection)
                                                        && update(connection, own.get(), holder)));
        if (!taken) {
            return 0;
        }
        long incarnation = own.map(LeaseRow::incarnation).orElse(0L) + 1;
        Registry registry = database.repeatable(handle -> RegistryRows.read(handle, times));
        exchange.joined(new NodeRef(node.id(), incarnation), registry, sentAtNs);
        return incarnation;
    }

    /**
     * Takes the streams away from the former incarnations, before the lease is lost from which the
     * numbers are counted that they may have used.
     */
    private boolean retire(Connection connection) throws SQLException {
        return LeaseConnection.withHandle(
                connection,
                handle -> {
                    Registry registry = RegistryRows.read(handle, times);
                    for (OwnerRows.Stored each : OwnerRows.lockOf(handle, node.id())) {
                        OwnerRows.store(
                                handle,
                                each.row(),
                                Takeover.retire(each.row(), registry, each.reconnectWindowMs()));
                    }
                    return true;
                });
    }

    private static boolean keepServersOut(Connection connection, LeaseRow seen)
            throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "UPDATE server_lease SET incarnation = incarnation + 1, beats = 0,"
                                + " lease_until_ms = 0, process = ''"
                                + " WHERE id = 1 AND incarnation = ? AND beats = ?")) {
            statement.setLong(1, seen.incarnation());
            statement.setLong(2, seen.beats());
            return statement.executeUpdate() == 1;
        }
    }

    private boolean insert(Connection connection, LeaseHolder holder) throws SQLException {
        String insert =
                "INSERT INTO nodes (incarnation, beats, state, lease_until_ms, since_ms, host_load,"
                        + " streams, confirmed_at_ms, unbroken_since_ms, name, process, roles,"
                        + " version, config_hash, key_check, secret_check, id) VALUES (1, 0, 'up', "
                        + LeaseConnection.NOW
                        + " + ?, "
                        + LeaseConnection.NOW
                        + ", 0, 0, "
                        + LeaseConnection.NOW
                        + ", "
                        + LeaseConnection.NOW
                        + ", ?, ?, ?, ?, ?, ?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            bind(statement, holder);
            statement.setString(9, node.id());
            return statement.executeUpdate() == 1;
        }
    }

    private boolean update(Connection connection, LeaseRow seen, LeaseHolder holder)
            throws SQLException {
        String update =
                "UPDATE nodes SET incarnation = incarnation + 1, beats = 0, state = 'up',"
                        + " host_load = 0, streams = 0, lease_until_ms = "
                        + LeaseConnection.NOW
                        + " + ?, name = ?, process = ?, roles = ?, version = ?, config_hash = ?,"
                        + " key_check = ?, secret_check = ?, since_ms = "
                        + LeaseConnection.NOW
                        + ", confirmed_at_ms = "
                        + LeaseConnection.NOW
                        + ", unbroken_since_ms = "
                        + LeaseConnection.NOW
                        + " WHERE id = ? AND incarnation = ? AND beats = ?";
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            bind(statement, holder);
            statement.setString(9, node.id());
            statement.setLong(10, seen.incarnation());
            statement.setLong(11, seen.beats());
            return statement.executeUpdate() == 1;
        }
    }

    private void bind(PreparedStatement statement, LeaseHolder holder) throws SQLException {
        statement.setLong(1, lease.toMillis());
        statement.setString(2, holder.name());
        statement.setString(3, holder.process());
        statement.setString(4, String.join(",", node.roles()));
        statement.setString(5, node.version());
        statement.setString(6, node.configHash());
        statement.setString(7, node.keyCheck());
        statement.setString(8, node.secretCheck());
    }

    /**
     * A node that was late is alive until another one has declared it dead. What its streams have
     * reserved is stored, and what it must know is read, in the same transaction.
     */
    @Override
    public boolean renew(long incarnation) throws SQLException {
        long sentAtNs = System.nanoTime();
        NodeExchange.Sent sent = exchange.due();
        Optional<NodeExchange.Answer> answer;
        try {
            answer = database.repeatable(handle -> beat(handle, incarnation, sent));
        } catch (SQLException e) {
            exchange.failed();
            throw e;
        }
        answer.ifPresentOrElse(
                each -> exchange.confirmed(sent, each, sentAtNs), exchange::rejected);
        return answer.isPresent();
    }

    private Optional<NodeExchange.Answer> beat(
            Handle handle, long incarnation, NodeExchange.Sent sent) {
        int renewed =
                handle.createUpdate(
                                "UPDATE nodes SET beats = beats + 1, host_load = :load,"
                                        + " streams = :streams, confirmed_at_ms ="
                                        + " GREATEST(confirmed_at_ms, :confirmed),"
                                        + " unbroken_since_ms = CASE WHEN :broken"
                                        + " OR unbroken_since_ms IS NULL OR lease_until_ms \\< "
                                        + LeaseConnection.NOW
                                        + " THEN "
                                        + LeaseConnection.NOW
                                        + " ELSE unbroken_since_ms END, lease_until_ms = "
                                        + LeaseConnection.NOW
                                        + " + :lease WHERE id = :id AND incarnation = :incarnation"
                                        + " AND state \\<> 'gone'")
                        .bind("load", load.hostLoad())
                        .bind("streams", load.streams())
                        .bind("confirmed", sent.confirmedAtMs())
                        .bind("broken", sent.broken())
                        .bind("lease", lease.toMillis())
                        .bind("id", node.id())
                        .bind("incarnation", incarnation)
                        .execute();
        return renewed == 0
                ? Optional.empty()
                : Optional.of(
                        new NodeExchange.Answer(
                                RegistryRows.read(handle, times),
                                OwnerRows.exchanged(handle, node.id(), sent.owned())));
    }

    @Override
    public boolean isHeld(long incarnation) throws SQLException {
        return database.call(this::own)
                .filter(row -> row.incarnation() == incarnation && !row.free())
                .isPresent();
    }

    @Override
    public void release(long incarnation) throws SQLException {
        database.call(
                connection -> {
                    try (PreparedStatement statement =
                            connection.prepareStatement(
                                    "UPDATE nodes SET state = 'gone', streams = 0,"
                                            + " lease_until_ms = LEAST(lease_until_ms, "
                                            + LeaseConnection.NOW
                                            + ")"
                                            + " WHERE id = ? AND incarnation = ?")) {
                        statement.setString(1, node.id());
                        statement.setLong(2, incarnation);
                        return statement.executeUpdate();
                    }
                });
    }

    @Override
    public String taker() throws SQLException {
        return database.call(this::own)
                .filter(row -> !row.free())
                .map(
                        row ->
                                "the server "
                                        + row.name()
                                        + " has taken over node "
                                        + node.id()
                                        + " of")
                .orElse("another node has declared node " + node.id() + " dead in");
    }

    @Override
    public void close() {
        database.close();
    }
}
