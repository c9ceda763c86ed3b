package touchline.api.db;

import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.TaskState;
import touchline.api.domain.TaskStatus;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingRequest.Notice;
import touchline.api.domain.TranscodingTask;

/**
 * Transcoding requests with their tasks and the log of their notifications. Ended tasks never
 * change. Calls block; any thread.
 */
public final class TranscodingRepository {
    private final Database database;
    private final StorageRepository storages;

    public TranscodingRepository(Database database, StorageRepository storages) {
        this.database = database;
        this.storages = storages;
    }

    /** The result of a cancellation. */
    public sealed interface Cancellation {
        record NotFound() implements Cancellation {}

        /** The task has ended already. */
        record Over(TaskState state) implements Cancellation {}

        /**
         * @param task its current state
         * @param wasRunning whether it was running
         */
        record Done(TranscodingTask task, boolean wasRunning) implements Cancellation {}
    }

    /** Stores a request with its tasks, all or nothing; false where its storage was deleted. */
    public boolean create(TranscodingRequest request, List<TranscodingTask> tasks) {
        return database.inTransaction(
                handle -> {
                    if (!storages.hold(request.storageId())) {
                        return false;
                    }
                    handle.createUpdate(
                                    """
                                    INSERT INTO transcoding_requests (id, storage_id, input,
                                        notify, notice, created_at_ms)
                                    VALUES (:id, :storage, :input, :notify, :notice, :createdAt)
                                    """)
                            .bind("id", request.id())
                            .bind("storage", request.storageId())
                            .bind("input", request.input())
                            .bind("notify", request.notifyUrl().toString())
                            .bind("notice", request.notice().wireName())
                            .bind("createdAt", request.createdAt().toEpochMilli())
                            .execute();
                    tasks.forEach(task -> TaskRows.insert(handle, task));
                    return true;
                });
    }

    public Optional<TranscodingTask> find(String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM transcoding_tasks WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> TaskRows.task(row))
                                .findOne());
    }

    public Optional<TranscodingRequest> request(String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM transcoding_requests WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> request(row))
                                .findOne());
    }

    /** The tasks of a request, in its order. */
    public List<TranscodingTask> ofRequest(String requestId) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT * FROM transcoding_tasks
                                        WHERE request_id = :request ORDER BY seq
                                        """)
                                .bind("request", requestId)
                                .map((row, _) -> TaskRows.task(row))
                                .list());
    }

    /** Newest first, stable. */
    public Page<TranscodingTask> list(Optional<TaskState> state, PageRequest request) {
        PagedQuery query =
                state.map(
                                only ->
                                        new PagedQuery(
                                                "*",
                                                "transcoding_tasks WHERE state = :state",
                                                "seq DESC",
                                                bound -> bound.bind("state", only.wireName())))
                        .orElseGet(() -> new PagedQuery("transcoding_tasks", "seq DESC"));
        return database.inTransaction(
                handle -> query.read(handle, request, (row, _) -> TaskRows.task(row)));
    }

    /** Number of tasks in this state. */
    public long count(TaskState state) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT COUNT(*) FROM transcoding_tasks"
                                                + " WHERE state = :state")
                                .bind("state", state.wireName())
                                .mapTo(Long.class)
                                .one());
    }

    /** Stores the status of a task; false where it has ended or was deleted. */
    public boolean update(String id, TaskStatus status) {
        return database.with(handle -> TaskRows.update(handle, id, status));
    }

    /** Stores the progress of a task; false where it does not run. */
    public boolean progress(String id, double progress) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                UPDATE transcoding_tasks SET progress = :progress
                                                WHERE id = :id AND state = 'running'
                                                """)
                                        .bind("progress", progress)
                                        .bind("id", id)
                                        .execute()
                                > 0);
    }

    /** Cancels a task that has not ended. */
    public Cancellation cancel(String id, Instant at) {
        return database.inTransaction(
                handle -> {
                    Optional<TranscodingTask> found =
                            handle.createQuery(
                                            "SELECT * FROM transcoding_tasks"
                                                    + " WHERE id = :id FOR UPDATE")
                                    .bind("id", id)
                                    .map((row, _) -> TaskRows.task(row))
                                    .findOne();
                    if (found.isEmpty()) {
                        return new Cancellation.NotFound();
                    }
                    TaskState state = found.get().status().state();
                    if (state.isOver()) {
                        return new Cancellation.Over(state);
                    }
                    TaskStatus canceled = found.get().status().canceled(at);
                    boolean _ = TaskRows.update(handle, id, canceled);
                    return new Cancellation.Done(
                            found.get().with(canceled), state == TaskState.RUNNING);
                });
    }

    /** Requests with unfinished tasks, or without a submitted notification; oldest first. */
    public List<String> unfinished() {
        return byNotice(Notice.WAITING);
    }

    /** Requests with a pending notification; oldest first. */
    public List<String> unnoticed() {
        return byNotice(Notice.PENDING);
    }

    private List<String> byNotice(Notice notice) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT id FROM transcoding_requests WHERE notice = :notice
                                        ORDER BY created_at_ms, id
                                        """)
                                .bind("notice", notice.wireName())
                                .mapTo(String.class)
                                .list());
    }

    /** Changes the state of a notification; false where it is not in the expected state. */
    public boolean notice(String requestId, Notice from, Notice to) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                UPDATE transcoding_requests SET notice = :to
                                                WHERE id = :id AND notice = :from
                                                """)
                                        .bind("to", to.wireName())
                                        .bind("from", from.wireName())
                                        .bind("id", requestId)
                                        .execute()
                                > 0);
    }

    /** Stores a try to deliver a request's notification. */
    public void attempted(String requestId, TranscodingRequest.Attempt attempt) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        INSERT INTO transcoding_notices (request_id, number, at_ms,
                                            duration_ms, http_status, error)
                                        VALUES (:request, :number, :at, :duration, :status, :error)
                                        """)
                                .bind("request", requestId)
                                .bind("number", attempt.number())
                                .bind("at", attempt.at().toEpochMilli())
                                .bind("duration", attempt.durationMs())
                                .bind("status", attempt.httpStatus())
                                .bind("error", attempt.error())
                                .execute());
    }

    /** The log of a request's notification. */
    public Optional<TranscodingRequest.Log> noticeLog(String requestId) {
        return database.inTransaction(
                handle ->
                        request(requestId)
                                .map(
                                        found ->
                                                new TranscodingRequest.Log(
                                                        found.notice(),
                                                        handle.createQuery(
                                                                        """
                                                                        SELECT * FROM
                                                                            transcoding_notices
                                                                        WHERE request_id = :request
                                                                        ORDER BY number
                                                                        """)
                                                                .bind("request", requestId)
                                                                .map((row, _) -> attempt(row))
                                                                .list())));
    }

    /** Deletes notified requests from before a time. Returns their number. */
    public int purge(Instant before) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        DELETE FROM transcoding_requests
                                        WHERE created_at_ms \\< :before
                                            AND notice IN ('delivered', 'failed')
                                        """)
                                .bind("before", before.toEpochMilli())
                                .execute());
    }

    private static TranscodingRequest request(ResultSet row) throws SQLException {
        return new TranscodingRequest(
                row.getString("id"),
                row.getString("storage_id"),
                row.getString("input"),
                URI.create(row.getString("notify")),
                Notice.of(row.getString("notice")).orElseThrow(),
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }

    private static TranscodingRequest.Attempt attempt(ResultSet row) throws SQLException {
        return new TranscodingRequest.Attempt(
                row.getInt("number"),
                Instant.ofEpochMilli(row.getLong("at_ms")),
                row.getLong("duration_ms"),
                row.getInt("http_status"),
                row.getString("error"));
    }
}
