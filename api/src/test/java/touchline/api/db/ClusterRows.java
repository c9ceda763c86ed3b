package touchline.api.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import touchline.media.StreamId;

/** Rows of other nodes, as these write them. */
public final class ClusterRows {
    private ClusterRows() {}

    /** For a database in memory: H2's check of a list needs the session that has made the table. */
    public static void prepare(Database database) {
        update(database, "ALTER TABLE nodes DROP CONSTRAINT nodes_state");
        update(database, "ALTER TABLE stream_owners DROP CONSTRAINT stream_owners_phase");
    }

    /**
     * A node that is alive for a minute.
     *
     * @param controlUrl its port for nodes
     */
    public static void node(Database database, String id, String controlUrl) {
        update(
                database,
                "INSERT INTO nodes (incarnation, beats, state, lease_until_ms, since_ms,"
                        + " host_load, streams, name, process, roles, version, config_hash,"
                        + " key_check, secret_check, id, control_url) VALUES (3, 0, 'up', "
                        + LeaseConnection.NOW
                        + " + 60000, 0, 0, 0, '', '', 'origin', '1', '', '', '', ?, ?)",
                id,
                controlUrl);
    }

    /** Its lease is over. */
    public static void late(Database database, String id) {
        update(database, "UPDATE nodes SET lease_until_ms = 0 WHERE id = ?", id);
    }

    /** A stream with a session at a node. */
    public static void owner(
            Database database,
            StreamId stream,
            String node,
            String phase,
            @Nullable String session) {
        update(
                database,
                "INSERT INTO stream_owners (stream_id, epoch, node_id, incarnation, phase,"
                        + " session_id, changed_at_ms) VALUES (?, 1, ?, 3, ?, ?, 5000)",
                stream.value(),
                node,
                phase,
                session);
    }

    private static void update(Database database, String statement, @Nullable String... values) {
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement prepared = connection.prepareStatement(statement)) {
            for (int i = 0; i < values.length; i++) {
                prepared.setString(i + 1, values[i]);
            }
            prepared.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
