package touchline.overlay.page;

import java.io.IOException;

/** The host refuses the browser a network of its own; in the server's network it may start. */
final class NetworkRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    NetworkRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
