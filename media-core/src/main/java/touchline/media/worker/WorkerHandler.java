package touchline.media.worker;

import com.fasterxml.jackson.databind.JsonNode;

/** Handles one kind of job, in the child process. Called on its main thread, one job at a time. */
@FunctionalInterface
public interface WorkerHandler {
    /**
     * Runs the job.
     *
     * @param progress may be called at any rate
     * @return the result, less than 1 MiB as JSON
     * @throws WorkerJobException if the job fails; the process continues
     * @throws Exception for unexpected errors; reported as code 1099 with the exception's class
     *     only
     */
    JsonNode handle(JsonNode body, WorkerProgress progress) throws Exception;
}
