package touchline.media.worker;

import com.fasterxml.jackson.databind.JsonNode;

/** One kind of job, in the child process. Called by its main thread, one job at a time. */
@FunctionalInterface
public interface WorkerHandler {
    /**
     * Does the job.
     *
     * @param progress may be called as often as is convenient
     * @return the result, less than a mebibyte as JSON
     * @throws WorkerJobException when the job cannot be done; the process goes on
     * @throws Exception when something unexpected happens; told as code 1099 by its class only
     */
    JsonNode handle(JsonNode body, WorkerProgress progress) throws Exception;
}
