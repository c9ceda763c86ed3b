package touchline.api.backup;

import java.io.IOException;
import java.io.Serial;

/** A backup would leave less free on the server's disk than the configuration keeps. */
public final class DiskFullException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    DiskFullException(String message) {
        super(message);
    }
}
