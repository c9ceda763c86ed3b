package touchline.api.egress;

import java.net.UnknownHostException;

/**
 * A host leads to an address that may not be reached. A kind of unknown host, since that is all a
 * resolver may say.
 */
final class RefusedAddressException extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    RefusedAddressException(String reason) {
        super(reason);
        this.reason = reason;
    }

    /** Fit to be shown to whoever gave the host. */
    String reason() {
        return reason;
    }
}
