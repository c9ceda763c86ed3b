package touchline.api.db;

import java.io.IOException;
import java.io.Serial;

/** The text of a backup's table is not what a backup of this schema has. */
public final class BadRowsException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    BadRowsException(String message) {
        super(message);
    }

    BadRowsException(String message, Throwable cause) {
        super(message, cause);
    }
}
