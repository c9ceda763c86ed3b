package touchline.media.codec;

import java.io.Serial;

/** Bytes from outside are wrong; the message says what came and what was expected. */
public final class MalformedMediaException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public MalformedMediaException(String message) {
        super(message);
    }

    public MalformedMediaException(String message, Throwable cause) {
        super(message, cause);
    }
}
