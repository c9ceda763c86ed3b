package touchline.media.transcode;

import java.io.Serial;

/** Packets cannot be copied to the output; the stream must be re-encoded. */
final class CopyUnsuitableException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    CopyUnsuitableException(String message) {
        super(message);
    }
}
