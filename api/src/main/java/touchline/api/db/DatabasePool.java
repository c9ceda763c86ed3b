package touchline.api.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.nio.file.FileSystemException;
import java.time.Duration;
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
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            throw new DatabaseException(
                    "db.url: cannot open " + address + ": " + rootMessage(e), e);
        }
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
