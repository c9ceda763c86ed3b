package touchline.ingest.flv;

import java.io.Serial;

/** The publisher sends a codec that is not supported. */
public final class UnsupportedCodecException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /**
     * @param codecName its usual name, e.g. {@code Sorenson H.263}
     */
    public UnsupportedCodecException(String codecName) {
        super(codecName);
    }

    /** The codec's name, printable. */
    public String codecName() {
        return String.valueOf(getMessage());
    }
}
