package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Moderation records. Calls block; any thread. */
public final class ModerationRepository {
    private final Database database;

    public ModerationRepository(Database database) {
        this.database = database;
    }

    /**
     * Stores a record and gives it its number.
     *
     * @param record its id and review are ignored
     * @param content of its frame
     * @return its id
     */
    public long create(ModerationRecord record, FrameContent content) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        INSERT INTO moderation_records
                                            (task_id, event_id, account_id, stream_id, session_id,
                                             findings, alert_types, frame_name, frame_bytes,
                                             frame_checksum, frame_uploaded_at_ms,
                                             captured_at_ms, created_at_ms, home)
                                        VALUES (:task, :event, :account, :stream, :session,
                                            :findings, :alerts, :frame, :frameBytes,
                                            :checksum, :uploaded,
                                            :capturedAt, :createdAt, :home)
                                        """)
                                .bind("home", database.node().map(NodeIdentity::id).orElse(null))
                                .bind("task", record.taskId())
                                .bind("event", record.eventId())
                                .bind("account", record.accountId())
                                .bind("stream", record.stream().value())
                                .bind("session", record.session().value())
                                .bind("findings", DetectInfo.write(record.findings()))
                                .bind(
                                        "alerts",
                                        AlertTypes.write(
                                                ModerationRecord.alertTypes(record.findings())))
                                .bind("frame", record.frame().map(FrameName::value).orElse(null))
                                .bind("frameBytes", content.sizeBytes())
                                .bind(
                                        "checksum",
                                        content.checksum().isPresent()
                                                ? content.checksum().getAsLong()
                                                : null)
                                // Nothing to upload.
                                .bind("uploaded", record.frame().isEmpty() ? 0L : null)
                                .bind("capturedAt", record.capturedAt().toEpochMilli())
                                .bind("createdAt", record.createdAt().toEpochMilli())
                                .executeAndReturnGeneratedKeys("id")
                                .mapTo(Long.class)
                                .one());
    }

    public Optional<ModerationRecord> find(long id) {
        return database.with(handle -> find(handle, id));
    }

    /** The same, locked until the transaction around this call ends. */
    public Optional<ModerationRecord> findLocked(long id) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT * FROM moderation_records WHERE id = :id FOR UPDATE")
                                .bind("id", id)
                                .map((row, _) -> record(row))
                                .findOne());
    }

    /** In the order of the filter, stable. */
    public Page<ModerationRecord> list(RecordFilter filter, PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery(
                                        "*",
                                        filter.table(),
                                        filter.order().sql(),
                                        query -> query.bindMap(filter.bound()))
                                .read(handle, request, (row, _) -> record(row)));
    }

    /** The ids of a session's records by the sampling times of their frames. */
    public Map<Instant, Long> idsByCapture(SessionId session, Instant from, Instant to) {
        Map<Instant, Long> ids = new LinkedHashMap<>();
        database.with(
                        handle ->
                                handle.createQuery(
                                                """
                                                SELECT id, captured_at_ms FROM moderation_records
                                                WHERE session_id = :session
                                                    AND captured_at_ms BETWEEN :from AND :to
                                                """)
                                        .bind("session", session.value())
                                        .bind("from", from.toEpochMilli())
                                        .bind("to", to.toEpochMilli())
                                        .map(
                                                (row, _) ->
                                                        Map.entry(
                                                                Instant.ofEpochMilli(
                                                                        row.getLong(
                                                                                "captured_at_ms")),
                                                                row.getLong("id")))
                                        .list())
                .forEach(entry -> ids.put(entry.getKey(), entry.getValue()));
        return ids;
    }

    /**
     * Stores a review, in place of an earlier one.
     *
     * @param review empty takes the review back
     * @return empty where the record does not exist
     */
    public Optional<ModerationRecord> review(long id, Optional<ModerationRecord.Review> review) {
        return database.inTransaction(
                handle -> {
                    handle.createUpdate(
                                    """
                                    UPDATE moderation_records SET review_at_ms = :at,
                                        review_decision = :decision, review_note = :note,
                                        review_by = :by
                                    WHERE id = :id
                                    """)
                            .bind("at", review.map(it -> it.at().toEpochMilli()).orElse(null))
                            .bind(
                                    "decision",
                                    review.map(it -> it.decision().wireName()).orElse(null))
                            .bind("note", review.map(ModerationRecord.Review::note).orElse(null))
                            .bind("by", review.map(ModerationRecord.Review::by).orElse(null))
                            .bind("id", id)
                            .execute();
                    return find(handle, id);
                });
    }

    private static Optional<ModerationRecord> find(Handle handle, long id) {
        return handle.createQuery("SELECT * FROM moderation_records WHERE id = :id")
                .bind("id", id)
                .map((row, _) -> record(row))
                .findOne();
    }

    private static ModerationRecord record(ResultSet row) throws SQLException {
        return new ModerationRecord(
                row.getLong("id"),
                row.getLong("task_id"),
                row.getString("event_id"),
                row.getString("account_id"),
                new StreamId(row.getString("stream_id")),
                new SessionId(row.getString("session_id")),
                DetectInfo.read(row.getString("findings")),
                frame(row.getString("frame_name")),
                Instant.ofEpochMilli(row.getLong("captured_at_ms")),
                Instant.ofEpochMilli(row.getLong("created_at_ms")),
                review(row));
    }

    private static Optional<FrameName> frame(@Nullable String name) {
        return Optional.ofNullable(name).map(FrameName::new);
    }

    private static Optional<ModerationRecord.Review> review(ResultSet row) throws SQLException {
        String decision = row.getString("review_decision");
        if (decision == null) {
            return Optional.empty();
        }
        return Optional.of(
                new ModerationRecord.Review(
                        ModerationRecord.Decision.of(decision).orElseThrow(),
                        row.getString("review_note"),
                        Instant.ofEpochMilli(row.getLong("review_at_ms")),
                        Optional.ofNullable(row.getString("review_by")).orElse("")));
    }
}
