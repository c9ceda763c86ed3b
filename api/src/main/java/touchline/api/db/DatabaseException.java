package touchline.api.db;

import java.io.IOException;
import java.sql.SQLException;

/**
 * The database cannot be reached, or has failed. The message holds no secrets and no SQL values.
 */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** PostgreSQL, appendix A: disk_full. */
    private static final String POSTGRES_DISK_FULL = "53100";

    /** ENOSPC, as the C library words it. */
    private static final String NO_SPACE = "No space left on device";

    DatabaseException(String message) {
        super(message);
    }

    DatabaseException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether the disk that the database writes to is full. */
    public boolean isDiskFull() {
        for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
            boolean isFull =
                    cause instanceof SQLException sql
                            ? POSTGRES_DISK_FULL.equals(sql.getSQLState())
                            : cause instanceof IOException
                                    && String.valueOf(cause.getMessage()).contains(NO_SPACE);
            if (isFull) {
                return true;
            }
        }
        return false;
    }
}
