package touchline.packager.hls;

import java.io.IOException;
import java.io.Serial;

/** Media is stored, but not on this disk, and cannot be brought back now. A later try may. */
public final class MediaAwayException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    public MediaAwayException(String message) {
        super(message);
    }

    public MediaAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
