package touchline.api.db;

/**
 * What the scheduler of jobs leaves to us of its table: only one server uses a database, so what is
 * marked as running when none runs was cut off. Calls block; any thread.
 */
public final class JobRows {
    private static final String FREE =
            "UPDATE jobs SET picked = FALSE, picked_by = NULL, last_heartbeat = NULL,"
                    + " version = version + 1";

    private final Database database;

    public JobRows(Database database) {
        this.database = database;
    }

    /**
     * At a start: jobs that ran when the last server died are due again, with a failure more, since
     * they may be why it died. Says how many.
     */
    public int freeInterrupted() {
        return free(", consecutive_failures = COALESCE(consecutive_failures, 0) + 1");
    }

    /** At an end in order: jobs that were interrupted are due at the next start. */
    public int freeStopped() {
        return free("");
    }

    private int free(String more) {
        return database.with(handle -> handle.execute(FREE + more + " WHERE picked = TRUE"));
    }
}
