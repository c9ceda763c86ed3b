package touchline.media.worker;

import java.time.Duration;
import java.util.List;

/** A job has no result. Only this job is affected. */
public final class WorkerException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Cause of the failure. */
    public sealed interface Failure {
        /** The handler reported an error; the process can run another job. */
        record Reported(int code, String message) implements Failure {}

        /**
         * The process ended.
         *
         * @param exit exit status; 128 and above: killed by a signal
         * @param lastLines the end of its standard error
         * @param received whether it may have received the job; otherwise it ended before
         */
        record Died(int exit, List<String> lastLines, boolean received) implements Failure {
            public Died {
                lastLines = List.copyOf(lastLines);
            }

            Died withoutTheJob() {
                return new Died(exit, lastLines, /* received= */ false);
            }

            public boolean outOfMemory() {
                return exit == Worker.EXIT_OUT_OF_MEMORY;
            }
        }

        /** The job exceeded its timeout; the process was killed. */
        record TimedOut(Duration limit) implements Failure {}

        /** The job was cancelled; the process was killed. */
        record Canceled() implements Failure {}

        /** The process wrote an invalid reply and was killed. */
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
