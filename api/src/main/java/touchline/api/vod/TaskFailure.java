package touchline.api.vod;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.TaskError;
import touchline.api.egress.EgressException;
import touchline.api.storage.StorageException;
import touchline.media.worker.WorkerException;

/** A task failed: the error for its client, and whether another try may help. */
final class TaskFailure extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    /** SIGKILL, which the system's out-of-memory killer sends. */
    private static final int KILLED = 137;

    /** The lowest HTTP status that reports a failure of the server: it may pass. */
    private static final int SERVER_ERRORS = 500;

    private final transient TaskError error;
    private final boolean passing;

    /**
     * @param passing whether trying again may help
     */
    private TaskFailure(TaskError error, boolean passing, @Nullable Throwable cause) {
        super(error.code() + " " + error.message(), cause);
        this.error = error;
        this.passing = passing;
    }

    static TaskFailure lasting(int code, String message) {
        return lasting(code, message, /* cause= */ null);
    }

    private static TaskFailure lasting(int code, String message, @Nullable Throwable cause) {
        return new TaskFailure(new TaskError(code, message), /* passing= */ false, cause);
    }

    static TaskFailure passing(int code, String message) {
        return passing(code, message, /* cause= */ null);
    }

    static TaskFailure passing(int code, String message, @Nullable Throwable cause) {
        return new TaskFailure(new TaskError(code, message), /* passing= */ true, cause);
    }

    TaskError error() {
        return error;
    }

    boolean isPassing() {
        return passing;
    }

    /** The message for the log, with the cause that the client does not see. */
    String logText() {
        String message = String.valueOf(getMessage());
        return getCause() == null ? message : message + " (" + getCause() + ")";
    }

    /**
     * Files of this server cannot be read or written.
     *
     * @param full whether the disk is full
     * @param what the effect, for the client
     */
    static TaskFailure ofDisk(IOException e, boolean full, String what) {
        return full
                ? passing(TaskError.OUT_OF_RESOURCES, what + ": no disk space", e)
                : passing(TaskError.INTERNAL, what + ": an error of this server's disk", e);
    }

    /** The input could not be downloaded. */
    static TaskFailure of(EgressException e) {
        String message = "input: " + e.getMessage();
        return switch (e.kind()) {
            case REFUSED -> lasting(TaskError.INPUT_FORBIDDEN, message, e);
            case TOO_LARGE -> lasting(TaskError.OUT_OF_RESOURCES, message, e);
            case TIMEOUT -> passing(TaskError.TIMEOUT, message, e);
            case STATUS ->
                    e.httpStatus().orElse(0) >= SERVER_ERRORS
                            ? passing(TaskError.INPUT_UNREACHABLE, message, e)
                            : lasting(TaskError.INPUT_UNREACHABLE, message, e);
            case TLS -> lasting(TaskError.INPUT_UNREACHABLE, message, e);
            case UNRESOLVED, UNREACHABLE, BROKEN ->
                    passing(TaskError.INPUT_UNREACHABLE, message, e);
        };
    }

    /** The output could not be stored. */
    static TaskFailure of(StorageException e) {
        String message = "storage: " + e.getMessage();
        return switch (e.kind()) {
            case REFUSED -> lasting(TaskError.STORAGE_REFUSED, message, e);
            case UNRESOLVED, FAILED, DAMAGED -> passing(TaskError.UPLOAD_FAILED, message, e);
        };
    }

    /** The worker process gave no result. */
    static TaskFailure of(WorkerException e) {
        return switch (e.failure()) {
            case WorkerException.Failure.Reported(int code, String message) ->
                    lasting(
                            code >= TaskError.INPUT_UNREACHABLE && code <= TaskError.INTERNAL
                                    ? code
                                    : TaskError.INTERNAL,
                            message,
                            e);
            case WorkerException.Failure.Died died -> died(died, e);
            case WorkerException.Failure.TimedOut(var limit) ->
                    lasting(
                            TaskError.TIMEOUT,
                            "encoding took longer than " + limit.toMinutes() + " minutes",
                            e);
            case WorkerException.Failure.Canceled() ->
                    passing(TaskError.INTERNAL, "encoding was stopped", e);
            case WorkerException.Failure.Unreadable _ ->
                    lasting(TaskError.INVALID_INPUT, "invalid input file: it broke the decoder", e);
        };
    }

    private static TaskFailure died(WorkerException.Failure.Died died, WorkerException e) {
        if (!died.received()) {
            return passing(
                    TaskError.INTERNAL, "the encoding process ended before the job began", e);
        }
        boolean starved =
                died.outOfMemory()
                        || died.exit() == KILLED
                        || died.lastLines().stream()
                                .anyMatch(line -> line.contains("insufficient memory"));
        return starved
                ? lasting(
                        TaskError.OUT_OF_RESOURCES,
                        "encoding needs more memory than it is allowed",
                        e)
                : lasting(TaskError.INVALID_INPUT, "invalid input file: it broke the decoder", e);
    }
}
