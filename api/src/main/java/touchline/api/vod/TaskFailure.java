package touchline.api.vod;

import java.io.Serial;
import touchline.api.domain.TaskError;
import touchline.api.egress.EgressException;
import touchline.api.storage.StorageException;
import touchline.media.worker.WorkerException;

/** A task did not come to its output. */
final class TaskFailure extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    /** SIGKILL: nobody but the system's out-of-memory killer sends it to a worker. */
    private static final int KILLED = 137;

    private final transient TaskError error;
    private final boolean passing;

    /**
     * @param passing whether trying again may help
     */
    TaskFailure(TaskError error, boolean passing) {
        super(error.code() + " " + error.message());
        this.error = error;
        this.passing = passing;
    }

    static TaskFailure lasting(int code, String message) {
        return new TaskFailure(new TaskError(code, message), /* passing= */ false);
    }

    static TaskFailure passing(int code, String message) {
        return new TaskFailure(new TaskError(code, message), /* passing= */ true);
    }

    TaskError error() {
        return error;
    }

    boolean isPassing() {
        return passing;
    }

    /** The input could not be fetched. */
    static TaskFailure of(EgressException e, int httpStatus) {
        String message = "input: " + e.getMessage();
        return switch (e.kind()) {
            case REFUSED -> lasting(TaskError.INPUT_FORBIDDEN, message);
            case TOO_LARGE -> lasting(TaskError.OUT_OF_RESOURCES, message);
            case TIMEOUT -> passing(TaskError.TIMEOUT, message);
            case STATUS ->
                    new TaskFailure(
                            new TaskError(TaskError.INPUT_UNREACHABLE, message), httpStatus >= 500);
            case TLS -> lasting(TaskError.INPUT_UNREACHABLE, message);
            case UNRESOLVED, UNREACHABLE, BROKEN -> passing(TaskError.INPUT_UNREACHABLE, message);
        };
    }

    /** The output could not be stored. */
    static TaskFailure of(StorageException e) {
        String message = "storage: " + e.getMessage();
        return switch (e.kind()) {
            case REFUSED -> lasting(TaskError.STORAGE_REFUSED, message);
            case UNRESOLVED, FAILED, DAMAGED -> passing(TaskError.UPLOAD_FAILED, message);
        };
    }

    /** The worker process did not come to a result. */
    static TaskFailure of(WorkerException e) {
        return switch (e.failure()) {
            case WorkerException.Failure.Reported(int code, String message) ->
                    lasting(
                            code >= TaskError.INPUT_UNREACHABLE && code <= TaskError.INTERNAL
                                    ? code
                                    : TaskError.INTERNAL,
                            message);
            case WorkerException.Failure.Died died -> died(died);
            case WorkerException.Failure.TimedOut(var limit) ->
                    lasting(
                            TaskError.TIMEOUT,
                            "encoding took longer than " + limit.toMinutes() + " minutes");
            case WorkerException.Failure.Canceled() ->
                    passing(TaskError.INTERNAL, "encoding was stopped");
            case WorkerException.Failure.Unreadable _ ->
                    lasting(TaskError.INVALID_INPUT, "invalid input file: it broke the decoder");
        };
    }

    private static TaskFailure died(WorkerException.Failure.Died died) {
        boolean starved =
                died.outOfMemory()
                        || died.exit() == KILLED
                        || died.lastLines().stream()
                                .anyMatch(line -> line.contains("insufficient memory"));
        return starved
                ? lasting(
                        TaskError.OUT_OF_RESOURCES, "encoding needs more memory than it is allowed")
                : lasting(TaskError.INVALID_INPUT, "invalid input file: it broke the decoder");
    }
}
