package touchline.media.store;

import java.io.Serial;

/** The disk failed: full, missing, or not accessible. */
public final class MediaStoreException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public MediaStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
