package touchline.api.db;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Update;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.SampledFrame;
import touchline.media.SessionId;
import touchline.moderation.AlertType;

/**
 * The results of every sampled frame, for the timeline and the threshold simulator. About sixty
 * frames share a row: an hour at one frame per second needs less than 100 kB. Frames of all runs
 * are appended together. Calls block; any thread.
 *
 * <p>A frame is 15 bytes, big endian, written as 20 characters of base64, so that it can be
 * appended as text: milliseconds since the row's first frame (4), status (1), confidence of nude
 * and of weapon as float (4 each, NaN where not requested), milliseconds until the models had
 * answered (2, signed).
 */
public final class SampledFrames {
    /** Frames that share a row. */
    static final int FRAMES_PER_ROW = 64;

    private static final int FRAME_BYTES = 15;
    private static final int FRAME_CHARACTERS = 20;

    private static final String ROW =
            """
            (CAST(:task# AS BIGINT), CAST(:chunk# AS INTEGER), CAST(:session# AS VARCHAR),
            CAST(:first# AS BIGINT), CAST(:before# AS INTEGER), CAST(:added# AS INTEGER),
            CAST(:scores# AS VARCHAR))
            """;

    /**
     * A row that retention has deleted meanwhile begins anew. One that has more frames than before
     * has these already.
     */
    private static final String APPEND =
            """
            MERGE INTO sampled_frames AS t
            USING (VALUES %s) AS v
                (task_id, chunk, session_id, first_at_ms, had, added, scores)
            ON t.task_id = v.task_id AND t.chunk = v.chunk
            WHEN MATCHED AND v.had >= t.frames THEN
                UPDATE SET frames = t.frames + v.added, scores = t.scores || v.scores
            WHEN NOT MATCHED THEN
                INSERT (task_id, chunk, session_id, first_at_ms, frames, scores)
                VALUES (v.task_id, v.chunk, v.session_id, v.first_at_ms, v.added, v.scores)
            """;

    private final Database database;

    /** A stored row. */
    private record Chunk(Instant firstAt, int frames, String scores) {
        /** In the order of sampling. */
        List<SampledFrame> read() {
            List<SampledFrame> read = new ArrayList<>();
            for (int i = 0; i < frames; i++) {
                int from = i * FRAME_CHARACTERS;
                read.add(decode(firstAt, scores.substring(from, from + FRAME_CHARACTERS)));
            }
            return read;
        }
    }

    public SampledFrames(Database database) {
        this.database = database;
    }

    /**
     * Frames of one run, to be appended to one row.
     *
     * @param chunk number of the row within its run
     * @param firstAt time of the row's first frame
     * @param before frames that the row has already
     */
    public record Appended(
            long taskId,
            int chunk,
            SessionId session,
            Instant firstAt,
            int before,
            List<SampledFrame> frames) {
        public Appended {
            frames = List.copyOf(frames);
        }

        private String scores() {
            StringBuilder text = new StringBuilder(frames.size() * FRAME_CHARACTERS);
            frames.forEach(frame -> text.append(encode(firstAt.toEpochMilli(), frame)));
            return text.toString();
        }
    }

    /**
     * Appends frames of any runs with one statement. The same call again changes nothing, so it may
     * be repeated when its result is not known.
     *
     * @param rows no two of the same row
     */
    public void append(List<Appended> rows) {
        if (rows.isEmpty()) {
            return;
        }
        String values =
                IntStream.range(0, rows.size())
                        .mapToObj(i -> ROW.replace("#", String.valueOf(i)))
                        .collect(Collectors.joining(", "));
        database.with(
                handle -> {
                    Update update = handle.createUpdate(APPEND.formatted(values));
                    for (int i = 0; i < rows.size(); i++) {
                        Appended row = rows.get(i);
                        update.bind("task" + i, row.taskId())
                                .bind("chunk" + i, row.chunk())
                                .bind("session" + i, row.session().value())
                                .bind("first" + i, row.firstAt().toEpochMilli())
                                .bind("before" + i, row.before())
                                .bind("added" + i, row.frames().size())
                                .bind("scores" + i, row.scores());
                    }
                    return update.execute();
                });
    }

    /** Passes every frame of a session to the reader, in the order of sampling. */
    public void each(SessionId session, Consumer<SampledFrame> reader) {
        database.with(
                handle -> {
                    chunks(handle, session, "task_id, chunk")
                            .forEach(chunk -> chunk.read().forEach(reader));
                    return true;
                });
    }

    /** The frames of a session, newest first. */
    public Page<SampledFrame> list(SessionId session, PageRequest request) {
        return database.inTransaction(
                handle -> {
                    long total =
                            handle.createQuery(
                                            "SELECT COALESCE(SUM(frames), 0) FROM sampled_frames"
                                                    + " WHERE session_id = :session")
                                    .bind("session", session.value())
                                    .mapTo(Long.class)
                                    .one();
                    return Page.of(newest(handle, session, request), request, total);
                });
    }

    /** Rows before the page are not parsed. Rows behind it are not read. */
    private static List<SampledFrame> newest(
            Handle handle, SessionId session, PageRequest request) {
        List<SampledFrame> page = new ArrayList<>();
        long skip = request.offset();
        try (ResultIterator<Chunk> chunks =
                chunks(handle, session, "task_id DESC, chunk DESC").iterator()) {
            while (chunks.hasNext() && page.size() < request.limit()) {
                Chunk chunk = chunks.next();
                if (skip >= chunk.frames()) {
                    skip -= chunk.frames();
                } else {
                    List<SampledFrame> frames = chunk.read().reversed();
                    page.addAll(frames.subList((int) skip, frames.size()));
                    skip = 0;
                }
            }
        }
        return page.subList(0, Math.min(page.size(), request.limit()));
    }

    private static ResultIterable<Chunk> chunks(Handle handle, SessionId session, String order) {
        return handle.createQuery(
                        "SELECT * FROM sampled_frames WHERE session_id = :session ORDER BY "
                                + order)
                .bind("session", session.value())
                .map((row, _) -> chunk(row));
    }

    /** Deletes frames that were sampled before a time, row by row. Returns the number of rows. */
    public int deleteBefore(Instant time) {
        return database.with(
                handle ->
                        handle.createUpdate("DELETE FROM sampled_frames WHERE first_at_ms < :time")
                                .bind("time", time.toEpochMilli())
                                .execute());
    }

    private static Chunk chunk(ResultSet row) throws SQLException {
        return new Chunk(
                Instant.ofEpochMilli(row.getLong("first_at_ms")),
                row.getInt("frames"),
                row.getString("scores"));
    }

    private static String encode(long firstMs, SampledFrame frame) {
        ByteBuffer bytes = ByteBuffer.allocate(FRAME_BYTES);
        bytes.putInt((int) (frame.at().toEpochMilli() - firstMs));
        bytes.put((byte) frame.status().code());
        for (AlertType type : AlertType.values()) {
            bytes.putFloat(frame.scores().getOrDefault(type, Float.NaN));
        }
        bytes.putShort((short) frame.judgedAfterMs());
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    private static SampledFrame decode(Instant firstAt, String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
        Instant at = firstAt.plusMillis(bytes.getInt());
        DetectStatus status = DetectStatus.ofCode(bytes.get());
        Map<AlertType, Float> scores = new EnumMap<>(AlertType.class);
        for (AlertType type : AlertType.values()) {
            float score = bytes.getFloat();
            if (!Float.isNaN(score)) {
                scores.put(type, score);
            }
        }
        return new SampledFrame(at, bytes.getShort(), status, scores);
    }
}
