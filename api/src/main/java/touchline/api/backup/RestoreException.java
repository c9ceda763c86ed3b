package touchline.api.backup;

import java.io.Serial;

/** A backup cannot be restored here. The message is for the operator. */
public final class RestoreException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    RestoreException(String message) {
        super(message);
    }

    RestoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
