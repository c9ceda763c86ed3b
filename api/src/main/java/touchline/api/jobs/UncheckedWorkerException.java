package touchline.api.jobs;

import java.io.Serial;

/** A {@link WorkerException} on its way through code that knows nothing of workers. */
final class UncheckedWorkerException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    UncheckedWorkerException(WorkerException cause) {
        super(cause);
    }
}
