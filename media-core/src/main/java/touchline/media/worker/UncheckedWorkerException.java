package touchline.media.worker;

import java.io.Serial;

/** Wraps a {@link WorkerException} to pass through code without knowledge of workers. */
public final class UncheckedWorkerException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public UncheckedWorkerException(WorkerException cause) {
        super(cause);
    }
}
