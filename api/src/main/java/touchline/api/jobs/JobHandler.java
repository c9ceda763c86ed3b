package touchline.api.jobs;

/**
 * Port: runs the jobs of one kind, each on a virtual thread, as many at once as the kind has
 * places. After a crash it may receive a job that is done: the result was not stored.
 */
@FunctionalInterface
public interface JobHandler {
    /**
     * Runs a job, or a step of it.
     *
     * @throws InterruptedException after an interrupt: the job was canceled, or the server stops
     *     and the next one runs the job again
     * @throws Exception a failure: logged, and tried again with growing pauses
     */
    JobOutcome run(JobRun run) throws Exception;
}
