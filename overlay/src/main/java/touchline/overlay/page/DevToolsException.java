package touchline.overlay.page;

import java.util.concurrent.TimeoutException;

/**
 * The browser refused a request, did not answer in time, or is gone; the message names the request.
 */
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

    /** True for a time-out, false for a refusal or the end of the browser. */
    boolean timedOut() {
        return timedOut;
    }
}
