package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.ScoreLink;
import touchline.media.StreamId;

/** Score links of live streams. Calls block; any thread. */
public final class ScoreLinkRepository {
    private static final String OF_STREAM = "score_links WHERE stream_id = :stream";

    private final Database database;

    public ScoreLinkRepository(Database database) {
        this.database = database;
    }

    /**
     * Stores a new link, up to {@link ScoreLink#MAX_PER_STREAM} of the stream. Links of the stream
     * that have expired make room first.
     */
    public StreamRepository.Addition create(ScoreLink link) {
        return database.inTransaction(
                handle -> {
                    if (!StreamRows.lock(handle, link.stream())) {
                        return StreamRepository.Addition.STREAM_NOT_FOUND;
                    }
                    if (count(handle, link.stream()) >= ScoreLink.MAX_PER_STREAM) {
                        deleteExpired(handle, link.stream(), link.createdAt());
                    }
                    if (count(handle, link.stream()) >= ScoreLink.MAX_PER_STREAM) {
                        return StreamRepository.Addition.FULL;
                    }
                    insert(handle, link);
                    return StreamRepository.Addition.ADDED;
                });
    }

    private static long count(Handle handle, StreamId stream) {
        return handle.createQuery("SELECT COUNT(*) FROM " + OF_STREAM)
                .bind("stream", stream.value())
                .mapTo(Long.class)
                .one();
    }

    private static void deleteExpired(Handle handle, StreamId stream, Instant now) {
        handle.createUpdate("DELETE FROM " + OF_STREAM + " AND expires_at_ms \\<= :now")
                .bind("stream", stream.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    private static void insert(Handle handle, ScoreLink link) {
        handle.createUpdate(
                        """
                        INSERT INTO score_links
                            (id, stream_id, name, secret_hash, expires_at_ms, created_at_ms)
                        VALUES (:id, :stream, :name, :hash, :expiresAt, :createdAt)
                        """)
                .bind("id", link.id())
                .bind("stream", link.stream().value())
                .bind("name", link.name())
                .bind("hash", link.secretHash())
                .bind("expiresAt", link.expiresAt().toEpochMilli())
                .bind("createdAt", link.createdAt().toEpochMilli())
                .execute();
    }

    /** An expired one too. */
    public Optional<ScoreLink> find(String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM score_links WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> link(row))
                                .findOne());
    }

    /** Newest first, stable; expired ones too. */
    public Page<ScoreLink> list(StreamId stream, PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery(
                                        "*",
                                        OF_STREAM,
                                        "seq DESC",
                                        query -> query.bind("stream", stream.value()))
                                .read(handle, request, (row, _) -> link(row)));
    }

    /** False where the stream has no such link. */
    public boolean delete(StreamId stream, String id) {
        return database.with(
                handle ->
                        handle.createUpdate("DELETE FROM " + OF_STREAM + " AND id = :id")
                                        .bind("stream", stream.value())
                                        .bind("id", id)
                                        .execute()
                                > 0);
    }

    /** Stores a use, unless a recent one is stored. */
    public void used(ScoreLink link, Instant at) {
        long atMs = at.toEpochMilli();
        long storedMs = link.lastUsedAt().map(Instant::toEpochMilli).orElse(Long.MIN_VALUE / 2);
        if (atMs - storedMs >= ScoreLink.USE_PRECISION_MS) {
            database.with(
                    handle ->
                            handle.createUpdate(
                                            "UPDATE score_links SET last_used_at_ms = :at"
                                                    + " WHERE id = :id")
                                    .bind("at", atMs)
                                    .bind("id", link.id())
                                    .execute());
        }
    }

    private static ScoreLink link(ResultSet row) throws SQLException {
        return new ScoreLink(
                row.getString("id"),
                new StreamId(row.getString("stream_id")),
                row.getString("name"),
                row.getString("secret_hash"),
                Instant.ofEpochMilli(row.getLong("expires_at_ms")),
                Instant.ofEpochMilli(row.getLong("created_at_ms")),
                LastUseColumn.read(row));
    }
}
