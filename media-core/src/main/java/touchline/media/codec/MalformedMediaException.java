package touchline.media.codec;

import java.io.Serial;

/**
 * Bytes from outside are wrong; the message says what came and what was expected. Whoever reads
 * from a peer closes that peer.
 */
public final class MalformedMediaException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public MalformedMediaException(String message) {
        super(message);
    }

    public MalformedMediaException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * @param field the name the standard gives it, behind the structure's, e.g. {@code
     *     avcC.configurationVersion}
     * @param offsetBytes where it stands, counted from the structure's first byte
     * @param problem what came and what was expected, e.g. {@code 2 (expected: 1)}
     */
    public MalformedMediaException(String field, long offsetBytes, String problem) {
        super(field + " at byte " + offsetBytes + ": " + problem);
    }
}
