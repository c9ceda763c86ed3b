package touchline.api.jobs;

import java.util.function.BooleanSupplier;

/**
 * One run of a job. Immutable.
 *
 * @param id the job's name within its kind
 * @param data as submitted, or as the last step returned it
 * @param failures failures in a row; a crash of the server during the run counts
 * @param ending whether the job was canceled or the server stops; the thread is interrupted as well
 */
public record JobRun(String id, String data, int failures, BooleanSupplier ending) {}
