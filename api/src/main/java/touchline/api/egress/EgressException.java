package touchline.api.egress;

import java.io.IOException;

/**
 * A request got no usable answer. The message is fit to be shown to whoever gave the address: it
 * holds neither secrets nor what a refused address would have said.
 */
public final class EgressException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What was wrong. */
    public enum Kind {
        /** The address may not be reached: see {@code egress.allow}. */
        REFUSED,
        /** The name has no address now. */
        UNRESOLVED,
        /** Nobody listens there, or the way is barred. */
        UNREACHABLE,
        TIMEOUT,
        /** The certificate or the handshake. */
        TLS,
        /** More than the limits allow. */
        TOO_LARGE,
        /** A status that is no success, where one is needed. */
        STATUS,
        /** The connection ended, or what came is no HTTP. */
        BROKEN
    }

    private final Kind kind;

    public EgressException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public EgressException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
