package touchline.api.http;

import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A documented failure of a call. Any code below a handler may throw it. {@link ApiRouting}
 * converts it into status and envelope. The client receives the message, so it contains no secret.
 */
public final class ApiException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String reason;
    private final transient List<FieldError> errors;
    private final transient Map<String, String> headers;

    private ApiException(
            ErrorCode code, String message, List<FieldError> errors, Map<String, String> headers) {
        // An answer, not a fault: it needs no stack trace.
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.code = code;
        this.reason = message;
        this.errors = List.copyOf(errors);
        this.headers = Map.copyOf(headers);
    }

    public static ApiException of(ErrorCode code, String message) {
        return new ApiException(code, message, List.of(), Map.of());
    }

    /** Bad input; {@code errors} names every bad field. */
    public static ApiException badInput(ErrorCode code, String message, List<FieldError> errors) {
        return new ApiException(code, message, errors, Map.of());
    }

    /** Bad input in one place. */
    public static ApiException badInput(ErrorCode code, String field, String reason) {
        String message = field.isEmpty() ? reason : field + ": " + reason;
        return badInput(code, message, List.of(new FieldError(field, reason)));
    }

    /** No resource has this id. The message does not repeat the id. */
    public static ApiException notFound(String what) {
        return of(ErrorCode.NOT_FOUND, what + " not found");
    }

    /** The resource is in a state that does not allow the call. */
    public static ApiException wrongState(String message) {
        return of(ErrorCode.WRONG_STATE, message);
    }

    /**
     * 401, always with the challenge Bearer: with Basic, browsers prompt for and store credentials.
     */
    public static ApiException unauthorized(ErrorCode code, String message) {
        return new ApiException(code, message, List.of(), Map.of("WWW-Authenticate", "Bearer"));
    }

    /** 405 with the methods of the path. */
    public static ApiException methodNotAllowed(String method, String allowed) {
        return new ApiException(
                ErrorCode.METHOD_NOT_ALLOWED,
                "method: " + method + " (expected: " + allowed + ")",
                List.of(),
                Map.of("Allow", allowed));
    }

    /** A failure with Retry-After: {@code wait} in whole seconds, at least 1. */
    public static ApiException retryLater(ErrorCode code, String message, Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new ApiException(
                code, message, List.of(), Map.of("Retry-After", Long.toString(seconds)));
    }

    public ErrorCode code() {
        return code;
    }

    /** The envelope's message. */
    public String reason() {
        return reason;
    }

    /** Every bad field; empty if the failure is not about input. */
    public List<FieldError> errors() {
        return errors;
    }

    /** Whether the connection ends with the reply: each further attempt needs a new one. */
    boolean closesConnection() {
        return code == ErrorCode.RATE_LIMITED;
    }

    /** Further reply headers. */
    public Map<String, String> headers() {
        return headers;
    }
}
