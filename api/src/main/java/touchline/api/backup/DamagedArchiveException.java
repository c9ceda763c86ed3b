package touchline.api.backup;

import java.io.IOException;
import java.io.Serial;

/** A file is not a whole backup: cut off, damaged, or not a backup at all. */
public final class DamagedArchiveException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    DamagedArchiveException(String message) {
        super(message);
    }

    DamagedArchiveException(String message, Throwable cause) {
        super(message, cause);
    }
}
