package touchline.api.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.time.Duration;
import org.h2.mvstore.MVStoreException;
import touchline.config.DatabaseConfig;

/** Opens pools of connections. */
final class DatabasePool {
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private DatabasePool() {}

    /**
     * Connects; the caller closes the pool.
     *
     * @param patience how long an unreachable database is tried again
     * @throws DatabaseException naming {@code db.url} when that is not possible
     */
    static HikariDataSource connect(
            DatabaseAddress address, DatabaseConfig limits, Duration patience) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("touchline-db");
        config.setJdbcUrl(address.url());
        config.setDriverClassName(address.driver());
        address.user().ifPresent(config::setUsername);
        address.password().ifPresent(config::setPassword);
        config.setConnectionInitSql(address.lockTimeoutSql());
        config.setMaximumPoolSize(limits.maxConnections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setInitializationFailTimeout(patience.toMillis());
        config.setExceptionOverride(new LostFiles());
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            throw new DatabaseException(
                    "db.url: cannot open " + address + ": " + rootMessage(e), e);
        }
    }

    /**
     * Closes a connection at once whose database has lost its file. Another statement, such as the
     * one that follows a failed rollback, may never return: H2 counts the use of its version off
     * twice by then, and waits for a count that does not come.
     */
    private static final class LostFiles implements SQLExceptionOverride {
        @java.lang.Override
        public SQLExceptionOverride.Override adjudicate(SQLException failure) {
            return hasLostItsFile(failure)
                    ? SQLExceptionOverride.Override.MUST_EVICT
                    : SQLExceptionOverride.Override.CONTINUE_EVICT;
        }
    }

    /** H2 could not read or write its file: a full disk, for example. */
    static boolean hasLostItsFile(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MVStoreException) {
                return true;
            }
        }
        return false;
    }

    /** The message of the first cause. */
    static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        // The message of these is the file alone.
        return root instanceof FileSystemException
                ? root.getClass().getSimpleName() + ": " + root.getMessage()
                : String.valueOf(root.getMessage());
    }
}
