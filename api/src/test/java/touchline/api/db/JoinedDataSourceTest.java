package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.Writer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** On a database in memory; the library is this test. */
final class JoinedDataSourceTest {
    private final DataSource pool = pool();
    private Optional<Connection> transaction = Optional.empty();
    private final JoinedDataSource joined = new JoinedDataSource(pool, () -> transaction);

    private static DataSource pool() {
        JdbcDataSource pool = new JdbcDataSource();
        pool.setURL("jdbc:h2:mem:");
        return pool;
    }

    @Test
    void connection_outsideOfATransaction_isOneOfThePool() throws SQLException {
        try (Connection first = joined.getConnection();
                Connection second = joined.getConnection()) {
            assertNotSame(first, second);
            first.setAutoCommit(false);
            first.rollback();
        }
    }

    @Test
    void connection_inATransaction_canBeUsed_butNeitherClosedNorCommitted() throws SQLException {
        try (Connection own = pool.getConnection()) {
            own.setAutoCommit(false);
            transaction = Optional.of(own);
            Connection lent = joined.getConnection();
            try (Statement statement = lent.createStatement()) {
                statement.execute("CREATE LOCAL TEMPORARY TABLE t (id INT)");
                statement.execute("INSERT INTO t VALUES (7)");
            }

            lent.close();

            assertFalse(own.isClosed());
            for (Executable call :
                    List.<Executable>of(
                            lent::commit,
                            lent::rollback,
                            () -> lent.setAutoCommit(true),
                            () -> lent.abort(Runnable::run),
                            () -> lent.unwrap(Connection.class))) {
                assertThrows(SQLFeatureNotSupportedException.class, call);
            }
            try (Statement statement = own.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id FROM t")) {
                assertTrue(rows.next());
                assertEquals(7, rows.getInt(1));
            }
        }
    }

    /** The library sees the failure of the database, not that of a proxy. */
    @Test
    void statement_thatFails_throwsTheDatabasesException() throws SQLException {
        try (Connection own = pool.getConnection()) {
            transaction = Optional.of(own);
            Connection lent = joined.getConnection();

            assertThrows(SQLException.class, () -> lent.prepareStatement("no SQL"));
        }
    }

    @Test
    void settings_areThoseOfThePool() throws SQLException {
        PrintWriter log = new PrintWriter(Writer.nullWriter());

        joined.setLogWriter(log);
        joined.setLoginTimeout(7);

        assertSame(log, joined.getLogWriter());
        assertEquals(pool.getLoginTimeout(), joined.getLoginTimeout());
        assertThrows(
                SQLFeatureNotSupportedException.class, () -> joined.getConnection("root", "x"));
        assertThrows(SQLFeatureNotSupportedException.class, () -> joined.unwrap(DataSource.class));
        assertFalse(joined.isWrapperFor(DataSource.class));
    }
}
