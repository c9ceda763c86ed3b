package touchline.api.db;

/**
 * Frees interrupted jobs in the scheduler's table. Only one server uses a database, so jobs that
 * are marked as running at its start were interrupted. Calls block; any thread.
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
     * At a start: jobs that ran during a crash are due again, with one failure more, because they
     * may be its cause. Returns their number.
     */
    public int freeInterrupted() {
        return free(", consecutive_failures = COALESCE(consecutive_failures, 0) + 1");
    }

    /** At a shutdown: interrupted jobs are due at the next start. */
    public int freeStopped() {
        return free("");
    }

    private int free(String more) {
        return database.with(handle -> handle.execute(FREE + more + " WHERE picked = TRUE"));
    }
}
