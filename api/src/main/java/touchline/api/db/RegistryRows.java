package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import touchline.api.cluster.ownership.NodeLease;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Registry;

/** Reads the rows by which nodes judge each other, in the caller's transaction. Stateless. */
final class RegistryRows {
    /** Of a node of an earlier version: no witness of anything. */
    private static final long NEVER_MS = Long.MAX_VALUE / 2;

    private RegistryRows() {}

    static Registry read(Handle handle, OwnershipTimes times) {
        long nowMs = handle.createQuery("SELECT " + LeaseConnection.NOW).mapTo(Long.class).one();
        List<NodeLease> leases =
                handle.createQuery(
                                "SELECT id, incarnation, state, lease_until_ms, confirmed_at_ms,"
                                        + " unbroken_since_ms, since_ms FROM nodes ORDER BY id")
                        .map((row, _) -> lease(row))
                        .list();
        return new Registry(leases, nowMs, times);
    }

    private static NodeLease lease(ResultSet row) throws SQLException {
        long unbrokenSinceMs = row.getLong("unbroken_since_ms");
        if (row.wasNull()) {
            unbrokenSinceMs = NEVER_MS;
        }
        return new NodeLease(
                new NodeRef(row.getString("id"), row.getLong("incarnation")),
                NodeLease.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                row.getLong("lease_until_ms"),
                row.getLong("confirmed_at_ms"),
                unbrokenSinceMs,
                row.getLong("since_ms"));
    }
}
