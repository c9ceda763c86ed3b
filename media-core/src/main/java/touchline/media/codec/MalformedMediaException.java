package touchline.media.codec;

import java.io.Serial;

/**
 * Received bytes are invalid. The message contains the received and the expected value. The reader
 * of a connection closes it.
 */
public sealed class MalformedMediaException extends RuntimeException
        permits DecodingRefusedException {
    @Serial private static final long serialVersionUID = 1;

    public MalformedMediaException(String message) {
        super(message);
    }

    public MalformedMediaException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * @param field structure and field by their names in the standard, e.g. {@code
     *     avcC.configurationVersion}
     * @param offsetBytes its position, from the structure's first byte
     * @param problem received and expected value, e.g. {@code 2 (expected: 1)}
     */
    public MalformedMediaException(String field, long offsetBytes, String problem) {
        super(field + " at byte " + offsetBytes + ": " + problem);
    }
}
