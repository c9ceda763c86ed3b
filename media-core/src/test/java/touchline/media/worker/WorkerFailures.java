package touchline.media.worker;

/** Failures of worker processes, for tests elsewhere. */
public final class WorkerFailures {
    private WorkerFailures() {}

    public static WorkerException of(WorkerException.Failure failure) {
        return new WorkerException(failure);
    }
}
