package touchline.overlay.page;

/** The browser refused, did not answer in time, or is gone; the message says what was asked. */
public final class DevToolsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public DevToolsException(String message) {
        super(message);
    }

    public DevToolsException(String message, Throwable cause) {
        super(message, cause);
    }
}
