package touchline.overlay.page;

import java.util.concurrent.TimeoutException;

/** The browser refused, did not answer in time, or is gone; the message says what was asked. */
public final class DevToolsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean timedOut;

    public DevToolsException(String message) {
        super(message);
        this.timedOut = false;
    }

    public DevToolsException(String message, Throwable cause) {
        super(message, cause);
        this.timedOut = cause instanceof TimeoutException;
    }

    /** Whether there was no answer in time, rather than a refusal or an end. */
    boolean timedOut() {
        return timedOut;
    }
}
