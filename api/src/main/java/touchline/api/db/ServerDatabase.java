package touchline.api.db;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.ClockDifference;
import touchline.config.DatabaseConfig;

/**
 * Opens the database of a server: as its only server, or as a node of a cluster. In both cases the
 * lease comes first: nothing is migrated or changed before it is known that this server may.
 */
public final class ServerDatabase {
    private static final Logger log = LoggerFactory.getLogger(ServerDatabase.class);
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(30);

    private final DatabaseConfig config;
    private final DatabaseAddress address;
    private final LeaseHolder holder;
    private final Consumer<String> onLost;

    /**
     * How a node joins.
     *
     * @param exchange what it sends and learns with each heartbeat
     */
    public record Joining(
            NodeSettings node,
            NodeLoad load,
            Duration lease,
            Duration heartbeat,
            NodeExchange exchange) {}

    /**
     * @param dataDir folder of the H2 file if no address is configured; created if missing
     * @param holder this server
     * @param onLost receives the reason when this server must not work with the database any more;
     *     from then on every call fails. Must return at once
     */
    public ServerDatabase(
            DatabaseConfig config, Path dataDir, LeaseHolder holder, Consumer<String> onLost) {
        this.config = config;
        this.address = DatabaseAddress.of(config, dataDir);
        this.holder = holder;
        this.onLost = onLost;
    }

    private interface Opening {
        Database open(HikariDataSource pool, Schema schema);
    }

    private Database opened(Opening opening) {
        HikariDataSource pool = DatabasePool.connect(address, config, DatabasePool.PATIENCE);
        try {
            return opening.open(pool, new Schema(pool, address));
        } catch (DatabaseException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * Connects and migrates. This server alone works with the database until it closes it: others
     * are refused, unless this one is dead. The lock of the H2 file does that for the data folder,
     * a lease for a configured address.
     *
     * @throws DatabaseException also if another server, or a node of a cluster, is alive
     */
    public Database openAlone() {
        return opened(
                (pool, schema) -> {
                    boolean isShared = config.url().isPresent();
                    @Nullable ServerLease lease = null;
                    try {
                        // Before the migration where that is possible: others may use the tables.
                        if (isShared && schema.has(LeaseTable.MIGRATION)) {
                            lease = alone(schema);
                        }
                        schema.migrate();
                        if (isShared && lease == null) {
                            lease = alone(schema);
                        }
                        Database alone =
                                new Database(
                                        pool,
                                        address,
                                        InstantSource.system(),
                                        lease,
                                        Optional.empty());
                        if (isShared) {
                            alone.inTransaction(OwnerRows::leaveCluster);
                        }
                        return alone;
                    } catch (DatabaseException e) {
                        if (lease != null) {
                            lease.close();
                        }
                        throw e;
                    }
                });
    }

    private ServerLease alone(Schema schema) {
        Duration lease = ServerLease.Times.DEFAULT.lease();
        return ServerLease.take(
                address,
                new LeaseTable(address, lease, schema.has(NodeTable.MIGRATION)),
                holder,
                ServerLease.Times.DEFAULT,
                onLost);
    }

    /**
     * Connects and migrates, as a node of a cluster.
     *
     * @throws DatabaseException also if a server without a cluster is alive, or another process
     *     under the same id, or where this node does not fit to those that run
     */
    public Database join(Joining joining) {
        return opened(
                (pool, schema) -> {
                    boolean isFirst = makesTables(schema);
                    ServerLease lease = joined(joining);
                    try {
                        if (!isFirst) {
                            schema.migrate();
                        }
                    } catch (DatabaseException e) {
                        lease.close();
                        throw e;
                    }
                    NodeIdentity node =
                            new NodeIdentity(joining.node().id(), lease.incarnation(), lease);
                    return new Database(
                            pool, address, InstantSource.system(), lease, Optional.of(node));
                });
    }

    /** False if there are those that a node needs; another one that starts may make them now. */
    private boolean makesTables(Schema schema) {
        try (FirstMigration _ = FirstMigration.begin(address)) {
            if (schema.has(NodeTable.NEEDED)) {
                return false;
            }
            if (schema.has(LeaseTable.MIGRATION)) {
                // A server of an earlier version may be working with the tables.
                try (ServerLease _ = alone(schema)) {
                    schema.migrate();
                }
            } else {
                schema.migrate();
            }
            return true;
        }
    }

    private ServerLease joined(Joining joining) {
        NodeTable table = new NodeTable(address, joining);
        try {
            check(joining.node(), table);
        } catch (SQLException e) {
            table.close();
            throw new DatabaseException(
                    "db.url: cannot read the nodes of " + address + ": " + e.getMessage(), e);
        } catch (DatabaseException e) {
            table.close();
            throw e;
        }
        return ServerLease.take(
                address,
                table,
                holder,
                new ServerLease.Times(joining.lease(), joining.heartbeat()),
                onLost);
    }

    private static void check(NodeSettings node, NodeTable table) throws SQLException {
        // The first call also connects: its time would count as a difference of the clocks.
        table.look();
        long beforeMs = System.currentTimeMillis();
        NodeTable.Seen seen = table.look();
        checkClock(seen.ahead(beforeMs, System.currentTimeMillis()));
        for (NodeSettings other : seen.others()) {
            requireSame("auth.master-key", node.keyCheck(), other.keyCheck(), other);
            requireSame("auth.admin-secret", node.secretCheck(), other.secretCheck(), other);
            if (!node.configHash().equals(other.configHash())) {
                log.warn(
                        "node {} packages streams with other settings: packager.*, encoder.* and playback should be the same on all nodes",
                        other.id());
            }
            if (!node.version().equals(other.version())) {
                log.warn("node {} runs version {}", other.id(), other.version());
            }
        }
    }

    private static void checkClock(Duration ahead) {
        if (ahead.abs().compareTo(MAX_CLOCK_DIFFERENCE) > 0) {
            throw new DatabaseException(
                    "the clock of this host differs from that of the database by %d s (expected: at most %d s): synchronize both, for example with chrony"
                            .formatted(ahead.toSeconds(), MAX_CLOCK_DIFFERENCE.toSeconds()));
        }
        if (ahead.abs().compareTo(ClockDifference.WRONG) >= 0) {
            log.warn(
                    "the clock of this host differs from that of the database by {} ms",
                    ahead.toMillis());
        }
    }

    private static void requireSame(String key, String own, String theirs, NodeSettings other) {
        if (!own.equals(theirs)) {
            throw new DatabaseException(
                    "%s: not that of node %s, which runs (expected: the same on all nodes)"
                            .formatted(key, other.id()));
        }
    }
}
