package touchline.api.db;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import touchline.config.DatabaseConfig;

/**
 * What a node would find if it joined now. Only reads; blocks.
 *
 * @param clockAhead how far the clock of the database is ahead of this host's
 * @param others nodes that are alive, but for this one
 * @param isDurable whether a commit survives a failover of the database: it waits for a standby
 * @param controlUrls of the others' ports for nodes, by their ids; empty texts before these are
 *     open
 */
public record ClusterInspection(
        Duration clockAhead,
        List<NodeSettings> others,
        boolean isDurable,
        Map<String, String> controlUrls) {
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    /**
     * Looks at the database.
     *
     * @throws DatabaseException if it does not answer, or no server of this version has opened it
     */
    public static ClusterInspection of(DatabaseConfig config, Path dataDir, NodeSettings node) {
        DatabaseAddress address = DatabaseAddress.of(config, dataDir);
        try (NodeTable table =
                        new NodeTable(
                                address,
                                new ServerDatabase.Joining(
                                        node,
                                        new NodeLoad(),
                                        Duration.ZERO,
                                        Duration.ZERO,
                                        NodeExchange.NONE));
                Connection connection = address.connect(PATIENCE)) {
            table.look();
            long beforeMs = System.currentTimeMillis();
            NodeTable.Seen seen = table.look();
            return new ClusterInspection(
                    seen.ahead(beforeMs, System.currentTimeMillis()),
                    seen.others(),
                    waitsForStandby(connection),
                    controlUrls(connection, node.id()));
        } catch (SQLException e) {
            throw new DatabaseException(
                    "db.url: cannot read the nodes of " + address + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, String> controlUrls(Connection connection, String own)
            throws SQLException {
        Map<String, String> urls = new TreeMap<>();
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT id, control_url FROM nodes WHERE state <> 'gone' AND id <> ?"
                                + " AND lease_until_ms >= "
                                + LeaseConnection.NOW)) {
            statement.setString(1, own);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    urls.put(row.getString("id"), row.getString("control_url"));
                }
            }
        }
        return urls;
    }

    private static boolean waitsForStandby(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement(
                                "SELECT current_setting('synchronous_standby_names') <> ''"
                                        + " AND current_setting('synchronous_commit') NOT IN"
                                        + " ('off', 'local')");
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }
}
