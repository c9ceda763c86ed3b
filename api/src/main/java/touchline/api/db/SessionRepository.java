package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatements;
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
    /** Sessions that this node has left open, and that no other one has gone on with. */
    private static final String LEFT_OPEN =
            "node_id = :node AND EXISTS (SELECT 1 FROM stream_owners o"
                    + " WHERE o.stream_id = sessions.stream_id AND o.session_id = sessions.id"
                    + " AND o.node_id IS NULL)";

    private final Database database;

    public SessionRepository(Database database) {
        this.database = database;
    }

    /**
     * Stores a session that has started; false where its stream was deleted meanwhile.
     *
     * @throws FencedException where another node has taken the stream, as all writes of a session
     */
    public boolean start(Session session, Epoch epoch) {
        return database.inTransaction(
                handle -> {
                    if (!StreamRows.lock(handle, session.stream())) {
                        return false;
                    }
                    epoch.require(handle);
                    StreamOwnerRepository.publishing(handle, epoch, session.id());
                    handle.createUpdate(
                                    """
                                    INSERT INTO sessions
                                        (id, stream_id, started_at_ms, seen_at_ms, report, epoch)
                                    VALUES (:id, :stream, :at, :at, :report, :epoch)
                                    """)
                            .bind("epoch", epoch.isAlone() ? null : epoch.number())
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
    public boolean report(SessionId session, SessionReport report, Instant now, Epoch epoch) {
        return fenced(
                epoch,
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
    public boolean end(SessionId session, Instant at, SessionEnd reason, Epoch epoch) {
        return fenced(
                epoch,
                handle -> {
                    StreamOwnerRepository.ended(handle, epoch);
                    return handle.createUpdate(
                                            """
                                                UPDATE sessions SET ended_at_ms = :at, end_reason = :reason
                                                WHERE id = :id AND ended_at_ms IS NULL
                                                """)
                                    .bind("id", session.value())
                                    .bind("at", at.toEpochMilli())
                                    .bind("reason", reason.wireName())
                                    .execute()
                            > 0;
                });
    }

    /** The encoder of a session that has started sends again. Needs no write without a cluster. */
    public boolean connected(SessionId session, Epoch epoch) {
        return fenced(
                epoch,
                handle -> {
                    StreamOwnerRepository.publishing(handle, epoch, session);
                    return true;
                });
    }

    /** Its encoder has left. Needs no write without a cluster. */
    public boolean disconnected(Epoch epoch) {
        return fenced(
                epoch,
                handle -> {
                    StreamOwnerRepository.interrupted(handle, epoch);
                    return true;
                });
    }

    /**
     * Stores that a session is left open, by a stop or to any other node; false where no such
     * session runs.
     *
     * @param release of its stream, in a cluster
     */
    public boolean suspend(SuspendedSession suspended, Epoch epoch, Optional<Release> release) {
        return fenced(
                epoch,
                handle -> {
                    release.ifPresent(
                            each ->
                                    StreamOwnerRepository.released(
                                            handle, epoch, suspended.interruption().left(), each));
                    return handle.createUpdate(
                                            """
                                                UPDATE sessions SET resume_until_ms = :until,
                                                    resume = :resume, node_id = :node
                                                WHERE id = :id AND ended_at_ms IS NULL
                                                """)
                                    .bind("node", isNode() ? nodeId() : null)
                                    .bind("id", suspended.session().id().value())
                                    .bind("until", suspended.until().toEpochMilli())
                                    .bind("resume", SuspensionJson.write(suspended))
                                    .execute()
                            > 0;
                });
    }

    /**
     * This node goes on with a session of another one. Belongs into the transaction that claims.
     */
    public boolean takenOver(SessionId session, Epoch epoch) {
        return fenced(
                epoch,
                handle ->
                        handle.createUpdate(
                                                "UPDATE sessions SET resume_until_ms = NULL,"
                                                        + " resume = NULL, node_id = NULL,"
                                                        + " epoch = :epoch WHERE id = :id"
                                                        + " AND ended_at_ms IS NULL")
                                        .bind("epoch", epoch.number())
                                        .bind("id", session.value())
                                        .execute()
                                > 0);
    }

    private boolean fenced(Epoch epoch, Function<Handle, Boolean> write) {
        if (epoch.isAlone()) {
            return database.with(write);
        }
        return database.inTransaction(
                handle -> {
                    epoch.require(handle);
                    return write.apply(handle);
                });
    }

    /**
     * The sessions that the last stop of this server has left open until after a time, oldest
     * first.
     */
    public List<SuspendedSession> suspended(Instant now) {
        return database.with(
                handle ->
                        handle
                                .createQuery(
                                        "SELECT * FROM sessions WHERE ended_at_ms IS NULL"
                                                + " AND resume_until_ms > :now"
                                                + (isNode() ? " AND " + LEFT_OPEN : "")
                                                + " ORDER BY seq")
                                .bind("now", now.toEpochMilli())
                                .configure(SqlStatements.class, SessionRepository::sharedBindings)
                                .bind("node", nodeId())
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
        return list(
                new SessionListing(Optional.of(stream), Optional.empty(), Optional.empty()),
                request);
    }

    /** Newest first, stable. */
    public Page<Session> list(SessionListing listing, PageRequest request) {
        Map<String, String> bound = new HashMap<>();
        listing.stream().ifPresent(stream -> bound.put("stream", stream.value()));
        listing.search()
                .ifPresent(text -> bound.put(TextSearch.PARAMETER, new TextSearch(text).pattern()));
        return database.inTransaction(
                handle ->
                        new PagedQuery(
                                        "*",
                                        "sessions" + listing.where(),
                                        "seq DESC",
                                        query -> query.bindMap(bound))
                                .read(handle, request, (row, _) -> session(row)));
    }

    /**
     * Ends the sessions of an earlier process: those of a crashed server at the time of their last
     * report, suspended ones at the end of their reconnect window. Called at a start, before
     * publishers are accepted. A node ends those from before the cluster: any node may go on with
     * the others.
     *
     * @param resumed sessions that continue; a crash from now on ends them as any other
     * @return the sessions that it ended, oldest first
     */
    public List<Session> closeInterrupted(Set<SessionId> resumed) {
        return database.inTransaction(
                handle -> {
                    List<String> ids = open(handle, isNode() ? "epoch IS NULL" : "1 = 1", "");
                    ids.removeIf(id -> resumed.contains(new SessionId(id)));
                    List<Session> closed = close(handle, ids);
                    if (!resumed.isEmpty()) {
                        handle.createUpdate(
                                        "UPDATE sessions SET resume_until_ms = NULL, resume = NULL"
                                                + " WHERE id IN (<ids>)")
                                .bindList("ids", resumed.stream().map(SessionId::value).toList())
                                .execute();
                    }
                    return closed;
                });
    }

    /**
     * Ends what the last owner of a stream has left open. Belongs into the transaction that takes
     * the stream.
     *
     * @return the sessions that it ended, oldest first
     */
    public List<Session> closeAbandoned(StreamId stream) {
        return database.inTransaction(
                handle -> {
                    handle.createUpdate(
                                    "UPDATE sessions SET resume_until_ms = LEAST(resume_until_ms, "
                                            + LeaseConnection.NOW
                                            + ") WHERE stream_id = :stream"
                                            + " AND resume_until_ms IS NOT NULL")
                            .bind("stream", stream.value())
                            .execute();
                    return close(handle, open(handle, "stream_id = :stream", stream.value()));
                });
    }

    /** Not every condition names all of them. */
    private static void sharedBindings(SqlStatements statements) {
        statements.setUnusedBindingAllowed(true);
    }

    private List<String> open(Handle handle, String which, String stream) {
        return new ArrayList<>(
                handle.createQuery(
                                "SELECT id FROM sessions WHERE ended_at_ms IS NULL AND ("
                                        + which
                                        + ") ORDER BY seq FOR UPDATE")
                        .configure(SqlStatements.class, SessionRepository::sharedBindings)
                        .bind("node", nodeId())
                        .bind("stream", stream)
                        .mapTo(String.class)
                        .list());
    }

    private static List<Session> close(Handle handle, List<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        handle.createUpdate(
                        """
                        UPDATE sessions SET
                            ended_at_ms = COALESCE(resume_until_ms, seen_at_ms),
                            end_reason = CASE WHEN resume_until_ms IS NULL
                                THEN :interrupted ELSE :gone END,
                            resume_until_ms = NULL, resume = NULL
                        WHERE id IN (<ids>)
                        """)
                .bind("interrupted", SessionEnd.INTERRUPTED.wireName())
                .bind("gone", SessionEnd.PUBLISHER_GONE.wireName())
                .bindList("ids", ids)
                .execute();
        return handle.createQuery("SELECT * FROM sessions WHERE id IN (<ids>) ORDER BY seq")
                .bindList("ids", ids)
                .map((row, _) -> session(row))
                .list();
    }

    private boolean isNode() {
        return database.node().isPresent();
    }

    private String nodeId() {
        return database.node().map(NodeIdentity::id).orElse("");
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
