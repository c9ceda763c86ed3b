package touchline.api.http;

/**
 * The reason of a failed call, as the envelope's {@code code}: HTTP status × 100 + n. Codes are
 * part of the interface and never change their meaning.
 */
public enum ErrorCode {
    MALFORMED_JSON(40001),
    INVALID_PARAMETER(40002),
    MISSING_PARAMETER(40003),
    NO_CREDENTIAL(40101),
    BAD_CREDENTIAL(40102),
    /** The token lacks the scope, or the request comes from a foreign web site. */
    FORBIDDEN(40301),
    NOT_FOUND(40401),
    METHOD_NOT_ALLOWED(40501),
    WRONG_STATE(40901),
    IDEMPOTENCY_KEY_REUSED(40902),
    BODY_TOO_LARGE(41301),
    UNSUPPORTED_MEDIA_TYPE(41501),
    RATE_LIMITED(42901),
    INTERNAL(50001),
    OVERLOADED(50301),
    DISK_FULL(50701);

    private final int code;

    ErrorCode(int code) {
        this.code = code;
    }

    /** The number in the envelope. */
    public int code() {
        return code;
    }

    /** The HTTP status of the code. */
    public int status() {
        return code / 100;
    }
}
