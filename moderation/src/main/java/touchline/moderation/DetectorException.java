package touchline.moderation;

/** A model cannot be loaded or run; the message is one line that tells a person why. */
public final class DetectorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DetectorException(String message) {
        super(message);
    }

    public DetectorException(String message, Throwable cause) {
        super(message, cause);
    }
}
