package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.RandomText;
import touchline.api.sport.Scoreboard;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** The last changes of bundled scoreboards, to undo them. Calls block; any thread. */
public final class ScoreboardChangeRepository {
    /** Changes of a stream that are kept. */
    public static final int KEPT = 50;

    private static final int ID_BITS = 96;
    private static final String ONE = "scoreboard_changes WHERE id = :id AND stream_id = :stream";

    private final Database database;

    public ScoreboardChangeRepository(Database database) {
        this.database = database;
    }

    /** The marker that a change has added. */
    public record Mark(SessionId session, String markerId) {}

    /** A change of the scoreboard of a stream. */
    public record Change(Scoreboard before, Scoreboard after, Optional<Mark> mark) {}

    /**
     * Stores a change and deletes the oldest ones. Requires that the caller has locked the stream.
     *
     * @return its id
     */
    public String add(StreamId stream, Change change) {
        String id = "chg_" + RandomText.ofBits(ID_BITS);
        return database.inTransaction(
                handle -> {
                    handle.createUpdate(
                                    """
                                    INSERT INTO scoreboard_changes (id, stream_id, before_state,
                                        after_state, session_id, marker_id)
                                    VALUES (:id, :stream, :before, :after, :session, :marker)
                                    """)
                            .bind("id", id)
                            .bind("stream", stream.value())
                            .bind("before", ScoreboardJson.write(change.before()).toString())
                            .bind("after", ScoreboardJson.write(change.after()).toString())
                            .bind(
                                    "session",
                                    change.mark().map(mark -> mark.session().value()).orElse(null))
                            .bind("marker", change.mark().map(Mark::markerId).orElse(null))
                            .execute();
                    handle.createUpdate(
                                    """
                                    DELETE FROM scoreboard_changes WHERE stream_id = :stream
                                        AND seq NOT IN (
                                            SELECT seq FROM scoreboard_changes
                                            WHERE stream_id = :stream
                                            ORDER BY seq DESC LIMIT :kept)
                                    """)
                            .bind("stream", stream.value())
                            .bind("kept", KEPT)
                            .execute();
                    return id;
                });
    }

    /** A change of the stream that is not undone and among the last {@link #KEPT}. */
    public Optional<Change> find(StreamId stream, String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM " + ONE)
                                .bind("id", id)
                                .bind("stream", stream.value())
                                .map((row, _) -> change(row))
                                .findOne());
    }

    public void delete(StreamId stream, String id) {
        database.with(
                handle ->
                        handle.createUpdate("DELETE FROM " + ONE)
                                .bind("id", id)
                                .bind("stream", stream.value())
                                .execute());
    }

    private static Change change(ResultSet row) throws SQLException {
        return new Change(
                ScoreboardJson.read(row.getString("before_state")),
                ScoreboardJson.read(row.getString("after_state")),
                mark(row.getString("session_id"), row.getString("marker_id")));
    }

    private static Optional<Mark> mark(@Nullable String session, @Nullable String marker) {
        return session == null || marker == null
                ? Optional.empty()
                : Optional.of(new Mark(new SessionId(session), marker));
    }
}
