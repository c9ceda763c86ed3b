package touchline.api.db;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections for a library with its own SQL. Inside a transaction it returns that transaction's
 * connection, which the library can neither close nor commit. Otherwise it returns one of the pool.
 * Any thread.
 */
final class JoinedDataSource implements DataSource {
    private final DataSource pool;
    private final Supplier<Optional<Connection>> current;

    /**
     * @param current the connection of this thread's transaction
     */
    JoinedDataSource(DataSource pool, Supplier<Optional<Connection>> current) {
        this.pool = pool;
        this.current = current;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Optional<Connection> joined = current.get();
        return joined.isPresent() ? guarded(joined.get()) : pool.getConnection();
    }

    private static Connection guarded(Connection connection) {
        return (Connection)
                Proxy.newProxyInstance(
                        JoinedDataSource.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (_, method, arguments) -> call(connection, method, arguments));
    }

    private static @Nullable Object call(
            Connection connection, Method method, Object @Nullable [] arguments) throws Throwable {
        switch (method.getName()) {
            case "close" -> {
                return null;
            }
            case "commit", "rollback", "setAutoCommit", "abort", "unwrap" ->
                    throw new SQLFeatureNotSupportedException(
                            method.getName() + ": the transaction is not the library's");
            default -> {
                try {
                    return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause() == null ? e : e.getCause();
                }
            }
        }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the pool knows its user");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return pool.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        pool.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        pool.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return pool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return pool.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException("unwrap");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
