package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Frees interrupted jobs in the scheduler's table: those that are marked as running at a start by
 * the only server, or by an earlier life of this node. Calls block; any thread.
 *
 * <p>A job of a cluster has the name of its kind, and any node runs it; or this name with {@code @}
 * and the id of a node, and that node alone does, because its disk has the files.
 */
public final class JobRows {
    private static final String FREE =
            "UPDATE jobs SET picked = FALSE, picked_by = NULL, last_heartbeat = NULL,"
                    + " version = version + 1";

    /** What the only server of a database calls itself. */
    public static final String ALONE = "touchline";

    private final Database database;
    private final Optional<NodeIdentity> node;

    public JobRows(Database database) {
        this.database = database;
        this.node = database.node();
    }

    /** The name under which this server runs jobs. */
    public String schedulerName() {
        return node.map(NodeIdentity::schedulerName).orElse(ALONE);
    }

    /** The name of a job that this server alone runs. */
    public String here(String kind) {
        return node.map(it -> at(kind, it.id())).orElse(kind);
    }

    /** The name of a job that a node alone runs. */
    public static String at(String kind, String node) {
        return kind + "@" + node;
    }

    /**
     * Moves jobs of kinds that run where the files are, after a change from one server to a cluster
     * or back. Called at a start.
     *
     * @param local names of these kinds
     */
    public void move(List<String> local) {
        database.transact(
                () -> {
                    if (node.isPresent()) {
                        local.forEach(this::moveHere);
                    } else {
                        moveAll();
                    }
                });
    }

    private void moveHere(String kind) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "UPDATE jobs SET task_name = :here WHERE task_name = :kind")
                                .bind("here", here(kind))
                                .bind("kind", kind)
                                .execute());
    }

    private void moveAll() {
        database.with(
                handle -> {
                    // Each node may have one for the same endpoint; the start arranges them again.
                    handle.execute("DELETE FROM jobs WHERE task_name LIKE 'webhook-retry@%'");
                    return handle.execute(
                            "UPDATE jobs SET task_name ="
                                    + " SUBSTRING(task_name FROM 1 FOR POSITION('@' IN task_name) - 1)"
                                    + " WHERE task_name LIKE '%@%'");
                });
    }

    /**
     * At a start: jobs that ran during a crash are due again, with one failure more, because they
     * may be its cause. Returns their number.
     */
    public int freeInterrupted() {
        String failed = ", consecutive_failures = COALESCE(consecutive_failures, 0) + 1";
        return node.isEmpty()
                ? free(failed, "")
                // Of a node's former lives, or from before the cluster.
                : free(
                        failed,
                        " AND (picked_by LIKE '%s#%%' OR picked_by = '%s')"
                                .formatted(node.get().id(), ALONE));
    }

    /** At a shutdown: interrupted jobs are due at the next start. */
    public int freeStopped() {
        return free("", node.isEmpty() ? "" : " AND picked_by = '" + schedulerName() + "'");
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

        Load plus(Load other) {
            Optional<Instant> oldest =
                    Stream.of(oldestDue, other.oldestDue)
                            .flatMap(Optional::stream)
                            .min(Comparator.naturalOrder());
            return new Load(running + other.running, waiting + other.waiting, oldest);
        }
    }

    /** The load of each kind that has jobs which this server may run. */
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
                                                    FROM jobs
                                                    WHERE task_name NOT LIKE '%@%'
                                                        OR task_name LIKE :own) due
                                                GROUP BY task_name
                                                """)
                                        .bind("own", here("%"))
                                        .bind("now", Timestamp.from(now))
                                        .map(
                                                (row, _) ->
                                                        Map.entry(
                                                                row.getString("task_name"),
                                                                load(row)))
                                        .list())
                .forEach(
                        kind ->
                                byKind.merge(
                                        kind.getKey().replaceFirst("@.*", ""),
                                        kind.getValue(),
                                        Load::plus));
        return byKind;
    }

    private static Load load(ResultSet row) throws SQLException {
        return new Load(
                row.getLong("running"),
                row.getLong("waiting"),
                Optional.ofNullable(row.getTimestamp("oldest")).map(Timestamp::toInstant));
    }

    private int free(String more, String which) {
        return database.with(
                handle -> handle.execute(FREE + more + " WHERE picked = TRUE" + which));
    }
}
