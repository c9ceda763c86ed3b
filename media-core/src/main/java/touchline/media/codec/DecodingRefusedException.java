package touchline.media.codec;

import java.io.Serial;

/**
 * Valid video that this server does not decode: it demands too much. Everything but decoding goes
 * on. The message contains the demand, the limit, and the configuration key of the limit if there
 * is one.
 */
public final class DecodingRefusedException extends MalformedMediaException {
    @Serial private static final long serialVersionUID = 1;

    /** The limit that is exceeded. */
    public enum Limit {
        /** Width, height or samples of a frame. */
        FRAME_SIZE,
        /** Memory of all decoders of the server. */
        MEMORY
    }

    private final Limit limit;

    public DecodingRefusedException(Limit limit, String message) {
        super(message);
        this.limit = limit;
    }

    public Limit limit() {
        return limit;
    }
}
