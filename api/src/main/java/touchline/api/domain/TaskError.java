package touchline.api.domain;

/**
 * The error of a transcoding task, for its client. Immutable.
 *
 * @param code 1001 to 1099
 * @param message in plain words, without secrets and paths of this host
 */
public record TaskError(int code, String message) {
    public static final int INPUT_UNREACHABLE = 1001;
    public static final int INPUT_FORBIDDEN = 1002;
    public static final int INVALID_INPUT = 1003;
    public static final int UNSUPPORTED_CODEC = 1004;
    public static final int STORAGE_REFUSED = 1005;
    public static final int UPLOAD_FAILED = 1006;
    public static final int TIMEOUT = 1007;
    public static final int OUT_OF_RESOURCES = 1008;
    public static final int CANCELED = 1009;
    public static final int INTERNAL = 1099;

    private static final int MAX_MESSAGE = 500;

    public TaskError {
        if (code < INPUT_UNREACHABLE || code > INTERNAL) {
            throw new IllegalArgumentException("task error: " + code);
        }
        message = message.substring(0, Math.min(MAX_MESSAGE, message.length()));
    }
}
