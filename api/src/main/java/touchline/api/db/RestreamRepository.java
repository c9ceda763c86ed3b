package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Restream;
import touchline.media.StreamId;

/** Restreams of live streams, and their stream keys, which are sealed. Calls block; any thread. */
public final class RestreamRepository {
    private static final String OF_STREAM = "restreams WHERE stream_id = :stream";
    private static final String ONE = "id = :id AND stream_id = :stream";

    private final Database database;
    private final SecretVault vault;

    public RestreamRepository(Database database, SecretVault vault) {
        this.database = database;
        this.vault = vault;
    }

    /** A restream, and the stream key of its target. */
    public record Target(Restream restream, String streamKey) {
        @Override
        public String toString() {
            return "Target[" + restream.id() + ", masked]";
        }
    }

    private record Sealed(String id, String text) {}

    /** Stores a new restream, up to {@link Restream#MAX_PER_STREAM} of the stream. */
    public StreamRepository.Addition create(Restream restream, String streamKey) {
        return database.inTransaction(
                handle -> {
                    if (!StreamRows.lock(handle, restream.stream())) {
                        return StreamRepository.Addition.STREAM_NOT_FOUND;
                    }
                    if (count(handle, restream.stream()) >= Restream.MAX_PER_STREAM) {
                        return StreamRepository.Addition.FULL;
                    }
                    insert(handle, restream, vault.seal(streamKey, restream.id()));
                    return StreamRepository.Addition.ADDED;
                });
    }

    private static long count(Handle handle, StreamId stream) {
        return handle.createQuery("SELECT COUNT(*) FROM " + OF_STREAM)
                .bind("stream", stream.value())
                .mapTo(Long.class)
                .one();
    }

    private static void insert(Handle handle, Restream restream, String sealed) {
        handle.createUpdate(
                        """
                        INSERT INTO restreams
                            (id, stream_id, name, url, sealed, enabled, created_at_ms)
                        VALUES (:id, :stream, :name, :url, :sealed, :enabled, :createdAt)
                        """)
                .bind("id", restream.id())
                .bind("stream", restream.stream().value())
                .bind("name", restream.name())
                .bind("url", restream.url())
                .bind("sealed", sealed)
                .bind("enabled", restream.enabled())
                .bind("createdAt", restream.createdAt().toEpochMilli())
                .execute();
    }

    public Optional<Restream> find(StreamId stream, String id) {
        return database.with(handle -> find(handle, stream, id));
    }

    private static Optional<Restream> find(Handle handle, StreamId stream, String id) {
        return handle.createQuery("SELECT * FROM restreams WHERE " + ONE)
                .bind("id", id)
                .bind("stream", stream.value())
                .map((row, _) -> restream(row))
                .findOne();
    }

    /** Newest first, stable. */
    public Page<Restream> list(StreamId stream, PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery(
                                        "*",
                                        OF_STREAM,
                                        "seq DESC",
                                        query -> query.bind("stream", stream.value()))
                                .read(handle, request, (row, _) -> restream(row)));
    }

    /** The enabled ones of a stream with their stream keys, in the order of their creation. */
    public List<Target> enabled(StreamId stream) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT * FROM " + OF_STREAM + " AND enabled ORDER BY seq")
                                .bind("stream", stream.value())
                                .map((row, _) -> target(row))
                                .list());
    }

    /**
     * Changes a restream under a lock; empty where it does not exist.
     *
     * @param newKey replaces the stream key, if present
     */
    public Optional<Restream> change(
            StreamId stream, String id, UnaryOperator<Restream> change, Optional<String> newKey) {
        return database.inTransaction(
                handle -> {
                    if (!StreamRows.lock(handle, stream)) {
                        return Optional.empty();
                    }
                    Optional<Restream> changed = find(handle, stream, id).map(change);
                    changed.ifPresent(after -> update(handle, after));
                    if (changed.isPresent() && newKey.isPresent()) {
                        reseal(handle, id, vault.seal(newKey.get(), id));
                    }
                    return changed;
                });
    }

    private static void update(Handle handle, Restream restream) {
        handle.createUpdate(
                        "UPDATE restreams SET name = :name, url = :url, enabled = :enabled"
                                + " WHERE id = :id")
                .bind("id", restream.id())
                .bind("name", restream.name())
                .bind("url", restream.url())
                .bind("enabled", restream.enabled())
                .execute();
    }

    private static void reseal(Handle handle, String id, String sealed) {
        handle.createUpdate("UPDATE restreams SET sealed = :sealed WHERE id = :id")
                .bind("id", id)
                .bind("sealed", sealed)
                .execute();
    }

    /** False where the stream has no such restream. */
    public boolean delete(StreamId stream, String id) {
        return database.with(
                handle ->
                        handle.createUpdate("DELETE FROM restreams WHERE " + ONE)
                                        .bind("id", id)
                                        .bind("stream", stream.value())
                                        .execute()
                                > 0);
    }

    /**
     * Seals again what an older master key has sealed. Call it at the start.
     *
     * @return how many
     * @throws RuntimeException when the master key of one is missing
     */
    public int resealStale() {
        return database.inTransaction(
                handle -> {
                    List<Sealed> stale =
                            handle
                                    .createQuery("SELECT id, sealed FROM restreams")
                                    .map(
                                            (row, _) ->
                                                    new Sealed(
                                                            row.getString("id"),
                                                            row.getString("sealed")))
                                    .stream()
                                    .filter(each -> vault.isStale(each.text()))
                                    .toList();
                    for (Sealed each : stale) {
                        String streamKey = vault.open(each.text(), each.id());
                        reseal(handle, each.id(), vault.seal(streamKey, each.id()));
                    }
                    return stale.size();
                });
    }

    private Target target(ResultSet row) throws SQLException {
        return new Target(restream(row), vault.open(row.getString("sealed"), row.getString("id")));
    }

    private static Restream restream(ResultSet row) throws SQLException {
        return new Restream(
                row.getString("id"),
                new StreamId(row.getString("stream_id")),
                row.getString("name"),
                row.getString("url"),
                row.getBoolean("enabled"),
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }
}
