package touchline.api.programme;

import java.io.Serial;

/** A file is no image that the server reads. The message says why, for the client. */
public final class InvalidImageException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public InvalidImageException(String message) {
        super(message);
    }
}
