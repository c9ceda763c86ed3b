package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import touchline.api.domain.AuditRun;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;

/** Audit runs: one row for each period in which a session was moderated. Blocks; any thread. */
public final class AuditRunRepository {
    private final Database database;

    public AuditRunRepository(Database database) {
        this.database = database;
    }

    /** Stores a run that begins, and gives it its number. */
    public AuditRun start(StreamId stream, SessionId session, Instant at) {
        long taskId =
                database.with(
                        handle ->
                                handle.createUpdate(
                                                """
                                                INSERT INTO audit_runs
                                                    (stream_id, session_id, started_at_ms)
                                                VALUES (:stream, :session, :at)
                                                """)
                                        .bind("stream", stream.value())
                                        .bind("session", session.value())
                                        .bind("at", at.toEpochMilli())
                                        .executeAndReturnGeneratedKeys("task_id")
                                        .mapTo(Long.class)
                                        .one());
        return new AuditRun(
                taskId, stream, session, at, Optional.empty(), Set.of(), /* blind= */ false);
    }

    /** Stores the requested types without a model. */
    public void unserved(long taskId, Set<AlertType> types) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "UPDATE audit_runs SET unserved = :types"
                                                + " WHERE task_id = :task")
                                .bind("types", AlertTypes.write(types))
                                .bind("task", taskId)
                                .execute());
    }

    /** Stores whether the session's frames cannot be decoded. */
    public void blind(long taskId, boolean blind) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "UPDATE audit_runs SET blind = :blind"
                                                + " WHERE task_id = :task")
                                .bind("blind", blind)
                                .bind("task", taskId)
                                .execute());
    }

    /** Sessions that run, and whose frames cannot be decoded. */
    public long blindNow() {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT COUNT(*) FROM audit_runs"
                                                + " WHERE ended_at_ms IS NULL AND blind = TRUE")
                                .mapTo(Long.class)
                                .one());
    }

    /** Stores the end; false where this run does not exist or has ended. */
    public boolean end(long taskId, Instant at, AuditRun.Reason reason) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                UPDATE audit_runs
                                                SET ended_at_ms = :at, end_reason = :reason
                                                WHERE task_id = :task AND ended_at_ms IS NULL
                                                """)
                                        .bind("at", at.toEpochMilli())
                                        .bind("reason", reason.wireName())
                                        .bind("task", taskId)
                                        .execute()
                                > 0);
    }

    /** The runs of a session, oldest first. */
    public List<AuditRun> of(SessionId session) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT * FROM audit_runs WHERE session_id = :session"
                                                + " ORDER BY task_id")
                                .bind("session", session.value())
                                .map((row, _) -> run(row))
                                .list());
    }

    /** The newest run of each of these sessions that has one. */
    public Map<SessionId, AuditRun> latest(List<SessionId> sessions) {
        if (sessions.isEmpty()) {
            return Map.of();
        }
        Map<SessionId, AuditRun> latest = new HashMap<>();
        database.with(
                        handle ->
                                handle.createQuery(
                                                """
                                                SELECT * FROM audit_runs WHERE task_id IN (
                                                    SELECT MAX(task_id) FROM audit_runs
                                                    WHERE session_id IN (<sessions>)
                                                    GROUP BY session_id)
                                                """)
                                        .bindList(
                                                "sessions",
                                                sessions.stream().map(SessionId::value).toList())
                                        .map((row, _) -> run(row))
                                        .list())
                .forEach(run -> latest.put(run.session(), run));
        return latest;
    }

    /**
     * Ends the runs of a crashed server with their sessions. The only server of a database calls it
     * at its start, after the sessions are closed and before publishers are accepted; a node of a
     * cluster calls {@link #closeOf}.
     *
     * @return their number
     */
    public int closeInterrupted(Instant now) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        UPDATE audit_runs SET end_reason = :reason,
                                            ended_at_ms = COALESCE(
                                                (SELECT sessions.ended_at_ms FROM sessions
                                                 WHERE sessions.id = audit_runs.session_id),
                                                :now)
                                        WHERE ended_at_ms IS NULL
                                        """)
                                .bind("reason", AuditRun.Reason.INTERRUPTED.wireName())
                                .bind("now", now.toEpochMilli())
                                .execute());
    }

    /** Whether other nodes of a cluster have runs of their own. */
    public boolean isOfNode() {
        return database.node().isPresent();
    }

    /**
     * Ends the runs of sessions that were interrupted, with them.
     *
     * @param at when those end whose session goes on at another node
     */
    public void closeOf(List<SessionId> sessions, Instant at) {
        if (sessions.isEmpty()) {
            return;
        }
        database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        UPDATE audit_runs SET end_reason = :reason,
                                            ended_at_ms = COALESCE(
                                                (SELECT sessions.ended_at_ms FROM sessions
                                                 WHERE sessions.id = audit_runs.session_id),
                                                :at)
                                        WHERE ended_at_ms IS NULL AND session_id IN (<sessions>)
                                        """)
                                .bind("reason", AuditRun.Reason.INTERRUPTED.wireName())
                                .bind("at", at.toEpochMilli())
                                .bindList(
                                        "sessions",
                                        sessions.stream().map(SessionId::value).toList())
                                .execute());
    }

    private static AuditRun run(ResultSet row) throws SQLException {
        Optional<AuditRun.Ended> end = Optional.empty();
        String reason = row.getString("end_reason");
        if (reason != null) {
            end =
                    Optional.of(
                            new AuditRun.Ended(
                                    Instant.ofEpochMilli(row.getLong("ended_at_ms")),
                                    AuditRun.Reason.of(reason).orElseThrow()));
        }
        return new AuditRun(
                row.getLong("task_id"),
                new StreamId(row.getString("stream_id")),
                new SessionId(row.getString("session_id")),
                Instant.ofEpochMilli(row.getLong("started_at_ms")),
                end,
                AlertTypes.read(row.getString("unserved")),
                row.getBoolean("blind"));
    }
}
