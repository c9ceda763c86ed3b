package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.TaskError;
import touchline.api.domain.TaskState;
import touchline.api.domain.TaskStatus;
import touchline.api.domain.TranscodingTask;
import touchline.media.transcode.FileFormat;
import touchline.media.transcode.TranscodeRequest;

/** Transcoding tasks as rows. */
final class TaskRows {
    private static final String RENDITIONS = "renditions";

    private TaskRows() {}

    static void insert(Handle handle, TranscodingTask task) {
        handle.createUpdate(
                        """
                        INSERT INTO transcoding_tasks (id, request_id, storage_id, input, format,
                            heights, video_bps, audio_bps, file_name, output, state, progress,
                            attempts, notes, created_at_ms)
                        VALUES (:id, :request, :storage, :input, :format, :heights, :videoBps,
                            :audioBps, :fileName, :output, :state, 0, 0, '', :createdAt)
                        """)
                .bind("id", task.id())
                .bind("request", task.requestId())
                .bind("storage", task.storageId())
                .bind("input", task.input())
                .bind("format", task.request().format().wireName())
                .bind("heights", heights(task.request()))
                .bind("videoBps", boxed(task.request().videoBitrateBps()))
                .bind("audioBps", boxed(task.request().audioBitrateBps()))
                .bind("fileName", task.fileName())
                .bind("output", task.output())
                .bind("state", task.status().state().wireName())
                .bind("createdAt", task.createdAt().toEpochMilli())
                .execute();
    }

    /** The heights, or {@value #RENDITIONS}; empty for the source's. */
    private static String heights(TranscodeRequest request) {
        return request.renditions()
                ? RENDITIONS
                : request.heights().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Stores the status of a task; false where it has ended or was deleted. */
    static boolean update(Handle handle, String id, TaskStatus status) {
        return handle.createUpdate(
                                """
                                UPDATE transcoding_tasks SET state = :state, progress = :progress,
                                    attempts = :attempts, duration_us = :duration, notes = :notes,
                                    error_code = :code, error_message = :message,
                                    started_at_ms = :startedAt, finished_at_ms = :finishedAt
                                WHERE id = :id AND state IN ('queued', 'running')
                                """)
                        .bind("id", id)
                        .bind("state", status.state().wireName())
                        .bind("progress", status.progress())
                        .bind("attempts", status.attempts())
                        .bind(
                                "duration",
                                status.durationUs().isPresent()
                                        ? (Long) status.durationUs().getAsLong()
                                        : null)
                        .bind("notes", String.join("\n", status.notes()))
                        .bind("code", status.error().map(TaskError::code).orElse(null))
                        .bind("message", status.error().map(TaskError::message).orElse(null))
                        .bind("startedAt", millis(status.startedAt()))
                        .bind("finishedAt", millis(status.finishedAt()))
                        .execute()
                > 0;
    }

    private static @Nullable Long millis(Optional<Instant> at) {
        return at.map(Instant::toEpochMilli).orElse(null);
    }

    private static @Nullable Integer boxed(OptionalInt value) {
        return value.isPresent() ? (Integer) value.getAsInt() : null;
    }

    static TranscodingTask task(ResultSet row) throws SQLException {
        return new TranscodingTask(
                row.getString("id"),
                row.getString("request_id"),
                row.getString("storage_id"),
                row.getString("input"),
                request(row),
                row.getString("file_name"),
                row.getString("output"),
                status(row),
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }

    private static TranscodeRequest request(ResultSet row) throws SQLException {
        String format = row.getString("format");
        String sizes = row.getString("heights");
        boolean renditions = RENDITIONS.equals(sizes);
        List<Integer> heights =
                renditions ? List.of() : lines(sizes, ",").stream().map(Integer::valueOf).toList();
        return new TranscodeRequest(
                Arrays.stream(FileFormat.values())
                        .filter(each -> each.wireName().equals(format))
                        .findFirst()
                        .orElseThrow(),
                heights,
                integer(row, "video_bps"),
                integer(row, "audio_bps"),
                renditions);
    }

    private static TaskStatus status(ResultSet row) throws SQLException {
        long durationUs = row.getLong("duration_us");
        boolean known = !row.wasNull();
        OptionalInt code = integer(row, "error_code");
        String message = row.getString("error_message");
        return new TaskStatus(
                TaskState.of(row.getString("state")).orElseThrow(),
                row.getDouble("progress"),
                row.getInt("attempts"),
                known ? OptionalLong.of(durationUs) : OptionalLong.empty(),
                lines(row.getString("notes"), "\n"),
                code.isPresent()
                        ? Optional.of(
                                new TaskError(code.getAsInt(), message == null ? "" : message))
                        : Optional.empty(),
                instant(row, "started_at_ms"),
                instant(row, "finished_at_ms"));
    }

    private static List<String> lines(@Nullable String text, String separator) {
        return text == null || text.isEmpty() ? List.of() : List.of(text.split(separator, -1));
    }

    private static OptionalInt integer(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(value));
    }
}
