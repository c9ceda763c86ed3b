package touchline.media.worker;

/** A job failed for a reason that is reported to the client. */
public final class WorkerJobException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Code for invalid media. */
    public static final int INVALID_INPUT = 1003;

    /** Code for unexpected errors. */
    public static final int INTERNAL = 1099;

    private final int code;

    /**
     * @param code of the transcoding errors, 1001 to 1099
     * @param message plain text, without paths of the host
     */
    public WorkerJobException(int code, String message) {
        super(message);
        this.code = code;
    }

    public int code() {
        return code;
    }
}
