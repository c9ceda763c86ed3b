package touchline.api.egress;

import java.io.IOException;
import java.util.OptionalInt;

/**
 * A request got no usable answer. The message may be shown to the client that gave the address. It
 * holds no secrets, and nothing that a refused address answered.
 */
public final class EgressException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The reason. */
    public enum Kind {
        /** {@code egress.allow} does not allow the address. */
        REFUSED,
        /** The name has no address now. */
        UNRESOLVED,
        /** The connection is refused, or there is no route. */
        UNREACHABLE,
        TIMEOUT,
        /** The certificate or the handshake. */
        TLS,
        /** More than the limits allow. */
        TOO_LARGE,
        /** An HTTP status other than success, or a redirect that is not followed. */
        STATUS,
        /** The connection ended early, or the answer is not HTTP. */
        BROKEN
    }

    private final Kind kind;
    private final int httpStatus;

    public EgressException(Kind kind, String message) {
        this(kind, message, /* httpStatus= */ 0);
    }

    private EgressException(Kind kind, String message, int httpStatus) {
        super(message);
        this.kind = kind;
        this.httpStatus = httpStatus;
    }

    /** The server answered, but not with success. */
    static EgressException ofStatus(int httpStatus) {
        return new EgressException(Kind.STATUS, "the server answers " + httpStatus, httpStatus);
    }

    public EgressException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.httpStatus = 0;
    }

    public Kind kind() {
        return kind;
    }

    /**
     * The status of the answer; empty where the answer had none, or the status is not the reason.
     */
    public OptionalInt httpStatus() {
        return httpStatus == 0 ? OptionalInt.empty() : OptionalInt.of(httpStatus);
    }
}
