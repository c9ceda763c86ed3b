package touchline.api.egress;

import java.net.UnknownHostException;

/**
 * The rules refuse an address of a host. It extends UnknownHostException, because a resolver may
 * throw no other.
 */
final class RefusedAddressException extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    RefusedAddressException(String reason) {
        super(reason);
        this.reason = reason;
    }

    /** May be shown to the client that gave the host. */
    String reason() {
        return reason;
    }
}
