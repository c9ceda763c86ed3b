package touchline.media.transcode;

import java.io.Serial;

/** Packets that cannot stand in the output as they are; the stream has to be encoded anew. */
final class CopyUnsuitableException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    CopyUnsuitableException(String message) {
        super(message);
    }
}
