package touchline.media.file;

import java.io.Serial;

/** Media is what it should be, but of a kind that this build cannot read. */
public final class UnsupportedMediaException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public UnsupportedMediaException(String message) {
        super(message);
    }
}
