package touchline.media.file;

import java.io.Serial;

/** The media is valid, but this build does not support its format. */
public final class UnsupportedMediaException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public UnsupportedMediaException(String message) {
        super(message);
    }
}
