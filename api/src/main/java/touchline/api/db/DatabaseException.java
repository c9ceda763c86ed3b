package touchline.api.db;

/**
 * The database cannot be reached, or has failed. The message holds no secrets and no SQL values.
 */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DatabaseException(String message) {
        super(message);
    }

    DatabaseException(String message, Throwable cause) {
        super(message, cause);
    }
}
