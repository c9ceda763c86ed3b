package touchline.media.decoding;

import java.io.Serial;

/** A child process did not decode. The next key frame may be tried with a new decoder. */
public final class DecodingFailedException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final boolean causedByMedia;

    DecodingFailedException(String message, boolean causedByMedia) {
        super(message);
        this.causedByMedia = causedByMedia;
    }

    /** Whether the process ended, or ran out of time or memory, while it decoded this media. */
    public boolean causedByMedia() {
        return causedByMedia;
    }
}
