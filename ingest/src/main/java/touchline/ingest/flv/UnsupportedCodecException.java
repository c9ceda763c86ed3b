package touchline.ingest.flv;

import java.io.Serial;

/** The publisher sends a codec that is known, or not even known, but not supported. */
public final class UnsupportedCodecException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /**
     * @param codecName as people call it, e.g. {@code Sorenson H.263}
     */
    public UnsupportedCodecException(String codecName) {
        super(codecName);
    }

    /** The codec's name, printable whatever came in. */
    public String codecName() {
        return String.valueOf(getMessage());
    }
}
