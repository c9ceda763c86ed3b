package touchline.api.backup;

import java.io.IOException;
import java.io.Serial;

/** A disk has no space for a backup, or less than the configuration keeps on the server's. */
public final class DiskFullException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    DiskFullException(String message) {
        super(message);
    }

    DiskFullException(String message, IOException cause) {
        super(message, cause);
    }
}
