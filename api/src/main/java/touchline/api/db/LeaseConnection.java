package touchline.api.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * A connection outside of the pool: a busy pool does not delay a lease. One that broke is opened
 * again. One thread at a time.
 */
final class LeaseConnection implements AutoCloseable {
    /** The time of the database, in Unix milliseconds. */
    static final String NOW = "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)";

    /** The connection and each answer of the server may take this long. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final DatabaseAddress address;
    private @Nullable Connection open;

    /** Work on a connection. */
    interface Statement<T> {
        T run(Connection connection) throws SQLException;
    }

    LeaseConnection(DatabaseAddress address) {
        this.address = address;
    }

    /** Runs a statement that may run twice: a connection that broke meanwhile is replaced. */
    <T> T call(Statement<T> statement) throws SQLException {
        boolean reused = open != null;
        try {
            return once(statement);
        } catch (SQLException e) {
            if (!reused) {
                throw e;
            }
            return once(statement);
        }
    }

    /** Runs a statement that must not run twice. */
    <T> T once(Statement<T> statement) throws SQLException {
        try {
            return statement.run(connection());
        } catch (SQLException e) {
            close();
            throw e;
        }
    }

    /** The same in one transaction; rolled back where the work returns false. */
    boolean transaction(Statement<Boolean> work) throws SQLException {
        return once(connection -> inTransaction(connection, work, Boolean::booleanValue));
    }

    /**
     * One transaction that may run twice.
     *
     * @param work with a handle that belongs to the connection
     */
    <T> T repeatable(Function<Handle, T> work) throws SQLException {
        return call(
                connection -> inTransaction(connection, open -> withHandle(open, work), _ -> true));
    }

    /** Jdbi on a connection that stays open. Failures are those of the connection. */
    static <T> T withHandle(Connection connection, Function<Handle, T> work) throws SQLException {
        try {
            return work.apply(Jdbi.open(connection));
        } catch (JdbiException e) {
            throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e);
        }
    }

    private static <T> T inTransaction(
            Connection connection, Statement<T> work, Predicate<T> commits) throws SQLException {
        connection.setAutoCommit(false);
        T result = work.run(connection);
        if (commits.test(result)) {
            connection.commit();
        } else {
            connection.rollback();
        }
        connection.setAutoCommit(true);
        return result;
    }

    private Connection connection() throws SQLException {
        Connection now = open;
        if (now == null) {
            now = address.connect(PATIENCE);
            open = now;
        }
        return now;
    }

    @Override
    public void close() {
        Connection now = open;
        open = null;
        if (now != null) {
            try {
                now.close();
            } catch (SQLException _) {
                // It is broken, and gone for this process.
            }
        }
    }
}
