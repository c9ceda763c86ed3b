package touchline.api.db;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.api.ErrorCode;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.DatabaseConfig;

/**
 * The database: a bounded pool of connections, migrated to this server's schema. H2 in the data
 * folder, or PostgreSQL; the repositories use the same SQL on both. Calls block, so they belong on
 * virtual threads. Any thread; the opener closes it.
 *
 * <p>An interrupt during a call on H2 has no effect and is lost. In return, interrupts cannot close
 * the database file.
 */
public final class Database implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Database.class);
    private static final Duration PATIENCE = DatabasePool.PATIENCE;
    private static final String UNIQUE_VIOLATION = "23505";

    private final HikariDataSource pool;
    private final Jdbi jdbi;
    private final DatabaseAddress address;
    private final ScopedValue<Open> current = ScopedValue.newInstance();
    private final ConnectionShare share;
    private final Outbox outbox;
    private final ClusterChanges changes = new ClusterChanges(this);
    private final @Nullable ServerLease lease;
    private final Optional<NodeIdentity> node;

    /** The transaction of a thread, and the work after its commit; that thread only. */
    private record Open(Handle handle, List<Runnable> afterCommit) {}

    /**
     * @param lease of the server; null where none is needed. Closed with the database
     * @param node this server's, in a cluster
     */
    Database(
            HikariDataSource pool,
            DatabaseAddress address,
            InstantSource clock,
            @Nullable ServerLease lease,
            Optional<NodeIdentity> node) {
        this.pool = pool;
        this.share = new ConnectionShare(pool.getMaximumPoolSize(), PATIENCE);
        this.address = address;
        this.lease = lease;
        this.node = node;
        this.outbox = new Outbox(this, clock);
        this.jdbi = Jdbi.create(pool);
        // Bound values may be private (user_metadata, hashes): they stay out of messages.
        jdbi.getConfig(StatementExceptions.class)
                .setMessageRendering(StatementExceptions.MessageRendering.NONE);
    }

    /**
     * Connects and migrates.
     *
     * @param dataDir folder of the H2 file if no address is configured; created if missing
     * @throws DatabaseException naming {@code db.url} when that is not possible
     */
    public static Database open(DatabaseConfig config, Path dataDir) {
        return open(config, dataDir, PATIENCE, InstantSource.system());
    }

    /**
     * {@link #open(DatabaseConfig, Path)} for tests.
     *
     * @param clock source of the times of events
     */
    public static Database open(DatabaseConfig config, Path dataDir, InstantSource clock) {
        return open(config, dataDir, PATIENCE, clock);
    }

    /** The same for a database that has this server's schema. */
    static Database openMigrated(DatabaseConfig config, Path dataDir, InstantSource clock) {
        DatabaseAddress address = DatabaseAddress.of(config, dataDir);
        return new Database(
                DatabasePool.connect(address, config, PATIENCE),
                address,
                clock,
                /* lease= */ null,
                Optional.empty());
    }

    /**
     * @param patience how long an unreachable database is tried again
     */
    static Database open(DatabaseConfig config, Path dataDir, Duration patience) {
        return open(config, dataDir, patience, InstantSource.system());
    }

    private static Database open(
            DatabaseConfig config, Path dataDir, Duration patience, InstantSource clock) {
        DatabaseAddress address = DatabaseAddress.of(config, dataDir);
        HikariDataSource pool = DatabasePool.connect(address, config, patience);
        try {
            new Schema(pool, address).migrate();
        } catch (DatabaseException e) {
            pool.close();
            throw e;
        }
        return new Database(pool, address, clock, /* lease= */ null, Optional.empty());
    }

    /** What the other nodes of a cluster read again. */
    public ClusterChanges changes() {
        return changes;
    }

    /** This server's place in a cluster; empty where it is the only one. */
    public Optional<NodeIdentity> node() {
        return node;
    }

    /**
     * Runs the work in one transaction: all repository calls that it makes on this thread belong to
     * it. It commits when the work returns and rolls back when it throws. Inside another
     * transaction it joins that one.
     */
    public <T extends @Nullable Object> T transaction(Supplier<T> work) {
        return inTransaction(_ -> work.get());
    }

    /** {@link #transaction(Supplier)} for work without a result. */
    public void transact(Runnable work) {
        inTransaction(
                _ -> {
                    work.run();
                    return true;
                });
    }

    /** Runs a request of a client: all requests together use a share of the connections. */
    public <T extends @Nullable Object> T request(Supplier<T> work) {
        return share.request(work);
    }

    /** Records events and passes them to listeners. */
    public Outbox outbox() {
        return outbox;
    }

    /**
     * Runs work on this thread after its transaction has committed, never after a rollback. Without
     * a transaction it runs at once. Its exceptions are logged only.
     */
    public void afterCommit(Runnable work) {
        if (current.isBound()) {
            current.get().afterCommit().add(work);
        } else {
            work.run();
        }
    }

    /** Connections for a library with its own SQL. Inside a transaction they belong to it. */
    public DataSource dataSource() {
        return new JoinedDataSource(
                pool,
                () -> {
                    if (current.isBound()) {
                        return Optional.of(current.get().handle().getConnection());
                    }
                    checkLease();
                    return Optional.empty();
                });
    }

    /**
     * Runs a trivial query.
     *
     * @throws DatabaseException when it does not answer
     */
    public void ping() {
        with(handle -> handle.createQuery("SELECT 1").mapTo(Integer.class).one());
    }

    /**
     * Begins a snapshot of all rows; the caller closes it.
     *
     * @throws IllegalArgumentException unless {@link #isH2}
     */
    public DatabaseSnapshot snapshot() {
        checkLease();
        return DatabaseSnapshot.open(address);
    }

    /** Whether this server backs it up; PostgreSQL has a tool of its own. */
    public boolean isH2() {
        return address.isH2();
    }

    /** The command line that backs up a PostgreSQL database, without its password. */
    public String dumpCommand() {
        return address.dumpCommand();
    }

    /** Name and version of the database. */
    public String product() {
        return with(
                handle -> {
                    try {
                        DatabaseMetaData about = handle.getConnection().getMetaData();
                        return about.getDatabaseProductName()
                                + " "
                                + about.getDatabaseProductVersion();
                    } catch (SQLException e) {
                        throw new DatabaseException("name and version of the database", e);
                    }
                });
    }

    @Override
    public void close() {
        if (pool.isClosed()) {
            return;
        }
        if (lease != null) {
            lease.close();
        }
        // A server that has taken over uses it.
        boolean isOwn = lease == null || !lease.isLost();
        if (address.isH2() && isOwn) {
            try {
                with(handle -> handle.execute("SHUTDOWN"));
            } catch (DatabaseException e) {
                // The statement's own connection is the first to find the database closed.
                if (!isClosed(e)) {
                    log.warn("closing the database failed: {}", e.getMessage());
                }
            }
        }
        pool.close();
    }

    private static boolean isClosed(DatabaseException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql
                    && sql.getErrorCode() == ErrorCode.DATABASE_CALLED_AT_SHUTDOWN) {
                return true;
            }
        }
        return false;
    }

    /** The work in the transaction of this thread, or in a new one. */
    <T extends @Nullable Object> T inTransaction(Function<Handle, T> work) {
        if (current.isBound()) {
            return work.apply(current.get().handle());
        }
        List<Runnable> afterCommit = new ArrayList<>();
        checkLease();
        T result = guarded(() -> jdbi.inTransaction(handle -> applied(handle, work, afterCommit)));
        afterCommit.forEach(Database::runLogged);
        return result;
    }

    private <T extends @Nullable Object> T applied(
            Handle handle, Function<Handle, T> work, List<Runnable> afterCommit) {
        T result =
                ScopedValue.where(current, new Open(handle, afterCommit))
                        .call(() -> work.apply(handle));
        // Rolls back what a process that was paused meanwhile would commit too late.
        checkLease();
        return result;
    }

    private void checkLease() {
        if (lease != null) {
            lease.check();
        }
    }

    private static void runLogged(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            log.error("after a commit", e);
        }
    }

    /** The work in the transaction of this thread, or else statement by statement. */
    <T extends @Nullable Object> T with(Function<Handle, T> work) {
        if (current.isBound()) {
            return work.apply(current.get().handle());
        }
        checkLease();
        return guarded(() -> jdbi.withHandle(work::apply));
    }

    /** Whether this thread is inside a transaction. */
    boolean insideTransaction() {
        return current.isBound();
    }

    /** Whether a row with this key existed already. */
    static boolean isUniqueViolation(DatabaseException failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof SQLException sql && UNIQUE_VIOLATION.equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private <T extends @Nullable Object> T guarded(Supplier<T> work) {
        try {
            return share.withConnection(work);
        } catch (JdbiException e) {
            if (DatabasePool.hasLostItsFile(e)) {
                // H2 has closed the database, and opens it again for the first new connection.
                pool.getHikariPoolMXBean().softEvictConnections();
            }
            throw new DatabaseException("database: " + DatabasePool.rootMessage(e), e);
        }
    }
}
