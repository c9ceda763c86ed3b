package touchline.api.db;

import java.sql.SQLException;
import java.util.List;

/**
 * Where a {@link ServerLease} is stored. All times are those of the database's clock. One thread at
 * a time; the opener closes it.
 */
interface LeaseStore extends AutoCloseable {
    /** The servers that must have ended before the lease is taken. */
    List<LeaseRow> holders() throws SQLException;

    /**
     * Takes the lease.
     *
     * @return its incarnation, from 1; 0 where a server has changed a row since these were read
     */
    long take(List<LeaseRow> seen, LeaseHolder holder) throws SQLException;

    /** Renews the lease; false if it is not this server's any more. */
    boolean renew(long incarnation) throws SQLException;

    /** Whether it is still this server's. Only reads: a full disk does not prevent it. */
    boolean isHeld(long incarnation) throws SQLException;

    /** Gives it back, if it is still this server's. */
    void release(long incarnation) throws SQLException;

    /** The server that has taken it over, as the subject of a sentence. */
    String taker() throws SQLException;

    @Override
    void close();
}
