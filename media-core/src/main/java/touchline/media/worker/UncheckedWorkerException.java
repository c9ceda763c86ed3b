package touchline.media.worker;

import java.io.Serial;

/** A {@link WorkerException} on its way through code that knows nothing of workers. */
public final class UncheckedWorkerException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public UncheckedWorkerException(WorkerException cause) {
        super(cause);
    }
}
