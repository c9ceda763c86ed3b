package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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

    /**
     * The jobs of one kind.
     *
     * @param running those that run
     * @param waiting those that are due and have no place
     * @param oldestDue the time at which the oldest of these was due; empty where none waits
     */
    public record Load(long running, long waiting, Optional<Instant> oldestDue) {
        /** No jobs. */
        public static final Load NONE = new Load(0, 0, Optional.empty());
    }

    /** The load of each kind that has jobs. */
    public Map<String, Load> load(Instant now) {
        Map<String, Load> byKind = new HashMap<>();
        database.with(
                        handle ->
                                handle.createQuery(
                                                """
                                                SELECT task_name,
                                                    SUM(CASE WHEN picked THEN 1 ELSE 0 END)
                                                        AS running,
                                                    COUNT(due_at) AS waiting,
                                                    MIN(due_at) AS oldest
                                                FROM (SELECT task_name, picked,
                                                        CASE WHEN NOT picked
                                                                AND execution_time <= :now
                                                            THEN execution_time END AS due_at
                                                    FROM jobs) due
                                                GROUP BY task_name
                                                """)
                                        .bind("now", Timestamp.from(now))
                                        .map(
                                                (row, _) ->
                                                        Map.entry(
                                                                row.getString("task_name"),
                                                                load(row)))
                                        .list())
                .forEach(kind -> byKind.put(kind.getKey(), kind.getValue()));
        return byKind;
    }

    private static Load load(ResultSet row) throws SQLException {
        return new Load(
                row.getLong("running"),
                row.getLong("waiting"),
                Optional.ofNullable(row.getTimestamp("oldest")).map(Timestamp::toInstant));
    }

    private int free(String more) {
        return database.with(handle -> handle.execute(FREE + more + " WHERE picked = TRUE"));
    }
}
