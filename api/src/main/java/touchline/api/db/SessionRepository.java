package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
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
                                        "seq",
                                        query -> query.bind("stream", stream.value()))
                                .read(handle, request, (row, _) -> session(row)));
    }

    /**
     * Ends the sessions of a crashed server, at the time of their last report. The only server of
     * this database calls it at its start, before it accepts publishers.
     *
     * @return the sessions that it ended, oldest first
     */
    public List<Session> closeInterrupted() {
        return database.inTransaction(
                handle -> {
                    List<String> ids =
                            handle.createQuery(
                                            "SELECT id FROM sessions WHERE ended_at_ms IS NULL"
                                                    + " ORDER BY seq FOR UPDATE")
                                    .mapTo(String.class)
                                    .list();
                    if (ids.isEmpty()) {
                        return List.of();
                    }
                    handle.createUpdate(
                                    """
                                    UPDATE sessions SET ended_at_ms = seen_at_ms, end_reason = :reason
                                    WHERE ended_at_ms IS NULL
                                    """)
                            .bind("reason", SessionEnd.INTERRUPTED.wireName())
                            .execute();
                    return handle.createQuery(
                                    "SELECT * FROM sessions WHERE id IN (<ids>) ORDER BY seq")
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
