package touchline.api.domain;

/**
 * Does the jobs of one kind, on a virtual thread each, as many at once as the kind has places. It
 * may be given a job again that it has done, where a server died before that was stored.
 */
@FunctionalInterface
public interface JobHandler {
    /**
     * Does a job, or a step of it.
     *
     * @throws InterruptedException when it was interrupted: the server stops, and the next one runs
     *     the job again, or the job was canceled
     * @throws Exception what was not foreseen: logged, and tried again with growing pauses
     */
    JobOutcome run(JobRun run) throws Exception;
}
