package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeAddresses;
import touchline.api.domain.NodeState;

/** The nodes of a cluster. Calls block; any thread. */
public final class NodeRepository {
    private static final String COLUMNS =
            "SELECT nodes.*, lease_until_ms - " + LeaseConnection.NOW + " AS left_ms FROM nodes";

    private final Database database;

    public NodeRepository(Database database) {
        this.database = database;
    }

    /**
     * All nodes that ever joined.
     *
     * @param nodes by id
     * @param databaseTime when they were read
     */
    public record Registry(List<ClusterNode> nodes, Instant databaseTime) {
        public Registry {
            nodes = List.copyOf(nodes);
        }
    }

    /** All nodes that ever joined, by id. */
    public List<ClusterNode> list() {
        return database.with(
                handle ->
                        handle.createQuery(COLUMNS + " ORDER BY id")
                                .map((row, _) -> node(row))
                                .list());
    }

    /** The same, and the time of the database. */
    public Registry read() {
        long nowMs =
                database.with(
                        handle ->
                                handle.createQuery("SELECT " + LeaseConnection.NOW)
                                        .mapTo(Long.class)
                                        .one());
        return new Registry(list(), Instant.ofEpochMilli(nowMs));
    }

    /** Stores where other nodes reach this one. */
    public void publish(NodeIdentity self, NodeAddresses addresses) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "UPDATE nodes SET control_url = :control,"
                                                + " playback_url = :playback, rtmp_address = :rtmp"
                                                + " WHERE id = :id AND incarnation = :incarnation")
                                .bind("control", addresses.control())
                                .bind("playback", addresses.playback())
                                .bind("rtmp", addresses.rtmp())
                                .bind("id", self.id())
                                .bind("incarnation", self.incarnation())
                                .execute());
    }

    public Optional<ClusterNode> find(String id) {
        return database.with(
                handle ->
                        handle.createQuery(COLUMNS + " WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> node(row))
                                .findOne());
    }

    /** Asks a node to take no further streams; false where it is not up. */
    public boolean drain(String id) {
        return database.with(
                        handle ->
                                handle.createUpdate(
                                                "UPDATE nodes SET state = 'draining'"
                                                        + " WHERE id = :id AND state = 'up'")
                                        .bind("id", id)
                                        .execute())
                > 0;
    }

    /** What nodes know of each other. */
    public touchline.api.cluster.ownership.Registry registry(OwnershipTimes times) {
        return database.inTransaction(handle -> RegistryRows.read(handle, times));
    }

    /** Declares a node dead whose lease is over; false where it has renewed it meanwhile. */
    public boolean declareDead(NodeRef late) {
        return database.with(
                        handle ->
                                handle.createUpdate(
                                                "UPDATE nodes SET state = 'gone', streams = 0"
                                                        + " WHERE id = :id"
                                                        + " AND incarnation = :incarnation"
                                                        + " AND state \\<> 'gone'"
                                                        + " AND lease_until_ms \\< "
                                                        + LeaseConnection.NOW)
                                        .bind("id", late.id())
                                        .bind("incarnation", late.incarnation())
                                        .execute())
                > 0;
    }

    private static ClusterNode node(ResultSet row) throws SQLException {
        return new ClusterNode(
                row.getString("id"),
                row.getLong("incarnation"),
                NodeState.of(row.getString("state")),
                List.of(row.getString("roles").split(",", -1)),
                row.getString("version"),
                row.getString("config_hash"),
                row.getInt("streams"),
                row.getDouble("host_load"),
                Instant.ofEpochMilli(row.getLong("since_ms")),
                Duration.ofMillis(row.getLong("left_ms")),
                new NodeAddresses(
                        row.getString("control_url"),
                        row.getString("playback_url"),
                        row.getString("rtmp_address")));
    }
}
