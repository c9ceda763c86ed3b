package touchline.media.worker;

/** A job cannot be done, for a reason the client is told. */
public final class WorkerJobException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Code of media that is not what it should be. */
    public static final int INVALID_INPUT = 1003;

    /** Code of what was not foreseen. */
    public static final int INTERNAL = 1099;

    private final int code;

    /**
     * @param code of the transcoding errors, 1001 to 1099
     * @param message in plain words, without paths of this machine
     */
    public WorkerJobException(int code, String message) {
        super(message);
        this.code = code;
    }

    public int code() {
        return code;
    }
}
