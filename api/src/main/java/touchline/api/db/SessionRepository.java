package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.SuspendedSession;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Sessions: one row for each period in which a stream was active. Calls block; any thread. */
public final class SessionRepository {
    private final Database database;

    public SessionRepository(Database database) {
        this.database = database;
    }

    /** Stores a session that has started; false where its stream was deleted meanwhile. */
    public boolean start(Session session) {
        return database.inTransaction(
                handle -> {
                    if (!StreamRows.lock(handle, session.stream())) {
                        return false;
                    }
                    handle.createUpdate(
                                    """
                                    INSERT INTO sessions
                                        (id, stream_id, started_at_ms, seen_at_ms, report)
                                    VALUES (:id, :stream, :at, :at, :report)
                                    """)
                            .bind("id", session.id().value())
                            .bind("stream", session.stream().value())
                            .bind("at", session.startedAt().toEpochMilli())
                            .bind("report", SettingsJson.write(session.report()))
                            .execute();
                    return true;
                });
    }

    /**
     * Stores the measured ingest. Call it every few seconds while a session runs: after a crash the
     * time of the last call is the session's end.
     *
     * @return false where no such session runs
     */
    public boolean report(SessionId session, SessionReport report, Instant now) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                UPDATE sessions SET report = :report, seen_at_ms = :at
                                                WHERE id = :id AND ended_at_ms IS NULL
                                                """)
                                        .bind("id", session.value())
                                        .bind("report", SettingsJson.write(report))
                                        .bind("at", now.toEpochMilli())
                                        .execute()
                                > 0);
    }

    /** Stores the end; false where no such session runs. */
    public boolean end(SessionId session, Instant at, SessionEnd reason) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                UPDATE sessions SET ended_at_ms = :at, end_reason = :reason
                                                WHERE id = :id AND ended_at_ms IS NULL
                                                """)
                                        .bind("id", session.value())
                                        .bind("at", at.toEpochMilli())
                                        .bind("reason", reason.wireName())
                                        .execute()
                                > 0);
    }

    /** Stores that a planned stop leaves a session open; false where no such session runs. */
    public boolean suspend(SuspendedSession suspended) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                UPDATE sessions
                                                SET resume_until_ms = :until, resume = :resume
                                                WHERE id = :id AND ended_at_ms IS NULL
                                                """)
                                        .bind("id", suspended.session().id().value())
                                        .bind("until", suspended.until().toEpochMilli())
                                        .bind("resume", SuspensionJson.write(suspended))
                                        .execute()
                                > 0);
    }

    /** The sessions that the last stop has left open until after a time, oldest first. */
    public List<SuspendedSession> suspended(Instant now) {
        return database.with(
                handle ->
                        handle
                                .createQuery(
                                        """
                                        SELECT * FROM sessions
                                        WHERE ended_at_ms IS NULL AND resume_until_ms > :now
                                        ORDER BY seq
                                        """)
                                .bind("now", now.toEpochMilli())
                                .map(
                                        (row, _) ->
                                                SuspensionJson.read(
                                                        session(row),
                                                        Instant.ofEpochMilli(
                                                                row.getLong("resume_until_ms")),
                                                        row.getString("resume")))
                                .stream()
                                .flatMap(Optional::stream)
                                .toList());
    }

    public Optional<Session> find(SessionId session) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM sessions WHERE id = :id")
                                .bind("id", session.value())
                                .map((row, _) -> session(row))
                                .findOne());
    }

    /** Newest first, stable. */
    public Page<Session> list(StreamId stream, PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery(
                                        "*",
                                        "sessions WHERE stream_id = :stream",
                                        "seq DESC",
                                        query -> query.bind("stream", stream.value()))
                                .read(handle, request, (row, _) -> session(row)));
    }

    /**
     * Ends the sessions of an earlier process: those of a crashed server at the time of their last
     * report, suspended ones at the end of their reconnect window. The only server of this database
     * calls it at its start, before it accepts publishers.
     *
     * @param resumed sessions that continue; a crash from now on ends them as any other
     * @return the sessions that it ended, oldest first
     */
    public List<Session> closeInterrupted(Set<SessionId> resumed) {
        return database.inTransaction(
                handle -> {
                    List<String> ids =
                            new ArrayList<>(
                                    handle.createQuery(
                                                    "SELECT id FROM sessions"
                                                            + " WHERE ended_at_ms IS NULL"
                                                            + " ORDER BY seq FOR UPDATE")
                                            .mapTo(String.class)
                                            .list());
                    ids.removeIf(id -> resumed.contains(new SessionId(id)));
                    if (!ids.isEmpty()) {
                        handle.createUpdate(
                                        """
                                        UPDATE sessions SET
                                            ended_at_ms = COALESCE(resume_until_ms, seen_at_ms),
                                            end_reason = CASE WHEN resume_until_ms IS NULL
                                                THEN :interrupted ELSE :gone END
                                        WHERE id IN (<ids>)
                                        """)
                                .bind("interrupted", SessionEnd.INTERRUPTED.wireName())
                                .bind("gone", SessionEnd.PUBLISHER_GONE.wireName())
                                .bindList("ids", ids)
                                .execute();
                    }
                    handle.execute(
                            "UPDATE sessions SET resume_until_ms = NULL, resume = NULL"
                                    + " WHERE resume_until_ms IS NOT NULL");
                    return ids.isEmpty()
                            ? List.of()
                            : handle.createQuery(
                                            "SELECT * FROM sessions WHERE id IN (<ids>)"
                                                    + " ORDER BY seq")
                                    .bindList("ids", ids)
                                    .map((row, _) -> session(row))
                                    .list();
                });
    }

    private static Session session(ResultSet row) throws SQLException {
        Optional<Session.Ended> end = Optional.empty();
        String reason = row.getString("end_reason");
        if (reason != null) {
            end =
                    Optional.of(
                            new Session.Ended(
                                    Instant.ofEpochMilli(row.getLong("ended_at_ms")),
                                    SessionEnd.of(reason).orElseThrow()));
        }
        return new Session(
                new SessionId(row.getString("id")),
                new StreamId(row.getString("stream_id")),
                Instant.ofEpochMilli(row.getLong("started_at_ms")),
                end,
                SettingsJson.readReport(row.getString("report")));
    }
}
