package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right of one node to make the tables that a cluster needs: others that start at the same time
 * wait for it. Held until it is closed, or its process has ended. One thread.
 *
 * <p>A lock of PostgreSQL on a number, for a transaction: there may be no table yet, and a
 * connection pool between server and database keeps a transaction together.
 */
final class FirstMigration implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FirstMigration.class);

    /** "touchlin" in ASCII: of no other program. */
    private static final String LOCK = "SELECT pg_try_advisory_xact_lock(8390053700628670830)";

    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final DatabaseAddress address;
    private final LeaseConnection connection;

    private FirstMigration(DatabaseAddress address) {
        this.address = address;
        this.connection = new LeaseConnection(address);
    }

    /**
     * Waits until no other node has it.
     *
     * @throws DatabaseException if the database does not answer, or another node has it for long
     */
    static FirstMigration begin(DatabaseAddress address) {
        FirstMigration turn = new FirstMigration(address);
        try {
            turn.await();
            return turn;
        } catch (SQLException e) {
            turn.close();
            throw new DatabaseException(
                    "db.url: cannot lock " + address + ": " + DatabasePool.rootMessage(e), e);
        } catch (DatabaseException e) {
            turn.close();
            throw e;
        }
    }

    private void await() throws SQLException {
        long startNs = System.nanoTime();
        for (boolean waits = false; !isMine(); waits = true) {
            if (!waits) {
                log.info("{}: waiting for the migrations of another node", address);
            }
            if (System.nanoTime() - startNs > LONGEST.toNanos()) {
                throw new DatabaseException(
                        "db.url: another node has been migrating %s for %d minutes"
                                .formatted(address, LONGEST.toMinutes()));
            }
            pause();
        }
    }

    private boolean isMine() throws SQLException {
        return connection.once(
                open -> {
                    open.setAutoCommit(false);
                    try (Statement statement = open.createStatement();
                            ResultSet row = statement.executeQuery(LOCK)) {
                        return row.next() && row.getBoolean(1);
                    }
                });
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DatabaseException("db.url: interrupted while another node migrates", e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
