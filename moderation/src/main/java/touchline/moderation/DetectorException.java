package touchline.moderation;

/** A model cannot be loaded or run. The message is one line with the reason. */
public final class DetectorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    public DetectorException(String reason) {
        super(reason);
        this.reason = reason;
    }

    public DetectorException(String reason, Throwable cause) {
        super(reason, cause);
        this.reason = reason;
    }

    /** The message. */
    public String reason() {
        return reason;
    }
}
