package touchline.api.db;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The database cannot be reached, or has failed. The message holds no secrets and no SQL values.
 */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** PostgreSQL, appendix A: disk_full. */
    private static final String POSTGRES_DISK_FULL = "53100";

    /** ENOSPC, as the C library words it. */
    private static final String NO_SPACE = "No space left on device";

    /** SQL states, class 08: connection exception. */
    private static final String CONNECTION_CLASS = "08";

    /**
     * PostgreSQL, appendix A: lock_not_available, admin_shutdown, crash_shutdown,
     * cannot_connect_now, too_many_connections; H2: lock timeout.
     */
    private static final Set<String> TEMPORARY =
            Set.of("55P03", "57P01", "57P02", "57P03", "53300", "HYT00");

    private final boolean unavailable;

    DatabaseException(String message) {
        this(message, /* unavailable= */ false);
    }

    DatabaseException(String message, Throwable cause) {
        super(message, cause);
        this.unavailable = isTemporary(cause);
    }

    private DatabaseException(String message, boolean unavailable) {
        super(message);
        this.unavailable = unavailable;
    }

    /** The database cannot be used now, but perhaps later. */
    static DatabaseException unavailable(String message) {
        return new DatabaseException(message, /* unavailable= */ true);
    }

    /** Whether the same call may succeed later: no connection, or one that did not answer. */
    public boolean isUnavailable() {
        return unavailable;
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

    private static boolean isTemporary(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientConnectionException) {
                return true;
            }
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                String state = sql.getSQLState();
                if (state.startsWith(CONNECTION_CLASS) || TEMPORARY.contains(state)) {
                    return true;
                }
            }
        }
        return false;
    }
}
