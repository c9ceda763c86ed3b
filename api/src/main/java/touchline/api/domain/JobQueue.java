package touchline.api.domain;

import java.time.Instant;

/**
 * Port: durable jobs of one kind. Each stands in the database from its submission to its end and is
 * run by this server or by the next that is started on the same data, at least once. Calls block;
 * any thread.
 *
 * <p>A submission inside a transaction belongs to it: the job exists when the transaction commits,
 * and starts then, at once where a place of its kind is free.
 */
public interface JobQueue {
    /**
     * A job that is due now.
     *
     * @param id the job's name within its kind, at most 100 characters
     * @param data what the handler is given
     * @return false where such a job waits or runs already: that one stays as it is
     */
    boolean submit(String id, String data);

    /** A job that is due later; see {@link #submit(String, String)}. */
    boolean submit(String id, String data, Instant at);

    /**
     * Moves a job that waits, and forgets its failures.
     *
     * @return false where none waits: it runs, or is gone
     */
    boolean reschedule(String id, Instant at);

    /**
     * Takes a job away: one that waits is gone at once; one that runs is interrupted and gone when
     * its handler returns, whatever that returns.
     *
     * @return false where there is none
     */
    boolean cancel(String id);

    /** Whether such a job waits or runs. */
    boolean contains(String id);
}
