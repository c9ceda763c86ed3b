package touchline.media.worker;

import java.time.Duration;
import java.util.List;

/** A job did not come to its result. Nothing but this job is affected. */
public final class WorkerException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public sealed interface Failure {
        /** The handler said so; the process is good for another job. */
        record Reported(int code, String message) implements Failure {}

        /**
         * The process ended.
         *
         * @param exit its status; 128 and more: the signal that killed it
         * @param lastLines the end of its standard error
         */
        record Died(int exit, List<String> lastLines) implements Failure {
            public Died {
                lastLines = List.copyOf(lastLines);
            }

            public boolean outOfMemory() {
                return exit == Worker.EXIT_OUT_OF_MEMORY;
            }
        }

        /** It took too long, and was killed. */
        record TimedOut(Duration limit) implements Failure {}

        /** Somebody cancelled it; it was killed. */
        record Canceled() implements Failure {}

        /** What it wrote was not a reply; it was killed. */
        record Unreadable(String reason) implements Failure {}
    }

    private final transient Failure failure;

    WorkerException(Failure failure) {
        super("worker: " + failure);
        this.failure = failure;
    }

    public Failure failure() {
        return failure;
    }
}
