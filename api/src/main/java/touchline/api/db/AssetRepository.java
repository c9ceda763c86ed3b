package touchline.api.db;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.domain.EventType;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.view.AssetView;
import touchline.media.StreamId;

/**
 * Assets with their playback ids. What becomes of them is told by events of the same transaction.
 * Calls block; any thread.
 */
public final class AssetRepository {
    /** What became of a deletion. */
    public enum Deletion {
        NOT_FOUND,
        /** It is being recorded. */
        LIVE,
        DELETED
    }

    /**
     * An asset that nothing will be added to.
     *
     * @param finishedAt since when
     */
    public record Finished(AssetId id, Instant finishedAt, long sizeBytes) {}

    private final Database database;

    public AssetRepository(Database database) {
        this.database = database;
    }

    /** Stores a new asset with its playback ids, all or nothing. */
    public void create(Asset asset) {
        database.inTransaction(
                handle -> {
                    AssetRows.insert(handle, asset);
                    tell(EventType.ASSET_CREATED, asset);
                    return true;
                });
    }

    /** Stores what has become of an asset; false where it is gone. */
    public boolean update(AssetId asset, AssetState state) {
        return database.inTransaction(
                handle -> {
                    Optional<Asset> before = locked(handle, asset);
                    if (before.isEmpty()) {
                        return false;
                    }
                    AssetRows.update(handle, asset, state);
                    event(before.get().state(), state)
                            .ifPresent(type -> tell(type, before.get().with(state)));
                    return true;
                });
    }

    /** What has happened to an asset, if anything that is told of. */
    private static Optional<EventType> event(AssetState before, AssetState after) {
        return switch (after.status()) {
            case PREPARING -> Optional.empty();
            case READY ->
                    before.status() != AssetStatus.READY || (before.live() && !after.live())
                            ? Optional.of(EventType.ASSET_READY)
                            : Optional.empty();
            case ERRORED ->
                    before.status() != AssetStatus.ERRORED
                            ? Optional.of(EventType.ASSET_ERRORED)
                            : Optional.empty();
        };
    }

    private void tell(EventType type, Asset asset) {
        database.outbox().append(NewEvent.of(type, asset.stream(), AssetView.of(asset)));
    }

    private static Optional<Asset> locked(Handle handle, AssetId asset) {
        boolean found =
                handle.createQuery("SELECT id FROM assets WHERE id = :id FOR UPDATE")
                        .bind("id", asset.value())
                        .mapTo(String.class)
                        .findOne()
                        .isPresent();
        return found
                ? AssetRows.load(handle, List.of(asset.value())).stream().findFirst()
                : Optional.empty();
    }

    public Optional<Asset> find(AssetId asset) {
        return database.with(handle -> AssetRows.load(handle, List.of(asset.value()))).stream()
                .findFirst();
    }

    /** Newest first, stable. */
    public Page<Asset> list(PageRequest request) {
        return list("", Map.of(), request);
    }

    /** The stream's recordings and their clips, newest first, stable; the stream may be gone. */
    public Page<Asset> list(StreamId stream, PageRequest request) {
        return list(" WHERE stream_id = :stream", Map.of("stream", stream.value()), request);
    }

    private Page<Asset> list(String where, Map<String, String> bound, PageRequest request) {
        return database.inTransaction(
                handle -> {
                    long total =
                            handle.createQuery("SELECT COUNT(*) FROM assets" + where)
                                    .bindMap(bound)
                                    .mapTo(Long.class)
                                    .one();
                    List<String> ids =
                            handle.createQuery(
                                            "SELECT id FROM assets"
                                                    + where
                                                    + " ORDER BY seq DESC"
                                                    + " LIMIT :limit OFFSET :offset")
                                    .bindMap(bound)
                                    .bind("limit", request.limit())
                                    .bind("offset", request.offset())
                                    .mapTo(String.class)
                                    .list();
                    return Page.of(AssetRows.load(handle, ids), request, total);
                });
    }

    /**
     * The newest recordings of each of these streams, newest first; clips are left out.
     *
     * @param each how many of a stream at most
     */
    public Map<StreamId, List<AssetId>> recent(List<StreamId> streams, int each) {
        if (streams.isEmpty()) {
            return Map.of();
        }
        Map<StreamId, List<AssetId>> recent = new HashMap<>();
        database.with(
                        handle ->
                                handle.createQuery(
                                                """
                                                SELECT stream_id, id FROM (
                                                    SELECT stream_id, id, seq, ROW_NUMBER() OVER (
                                                        PARTITION BY stream_id ORDER BY seq DESC)
                                                        AS age_rank
                                                    FROM assets
                                                    WHERE stream_id IN (<streams>)
                                                        AND source_asset_id IS NULL) AS ranked
                                                WHERE age_rank \\<= :each ORDER BY seq DESC
                                                """)
                                        .bindList(
                                                "streams",
                                                streams.stream().map(StreamId::value).toList())
                                        .bind("each", each)
                                        .map(
                                                (row, _) ->
                                                        Map.entry(
                                                                new StreamId(
                                                                        row.getString("stream_id")),
                                                                new AssetId(row.getString("id"))))
                                        .list())
                .forEach(
                        found ->
                                recent.computeIfAbsent(found.getKey(), _ -> new ArrayList<>())
                                        .add(found.getValue()));
        return recent;
    }

    /**
     * Deletes an asset and notes that its files are to be removed. What is being recorded stays.
     */
    public Deletion delete(AssetId asset) {
        return database.inTransaction(
                handle -> {
                    Optional<Asset> before = locked(handle, asset);
                    if (before.isEmpty()) {
                        return Deletion.NOT_FOUND;
                    }
                    if (before.get().state().live()) {
                        return Deletion.LIVE;
                    }
                    for (String statement :
                            List.of(
                                    "DELETE FROM assets WHERE id = :id",
                                    "INSERT INTO deleted_assets (id) VALUES (:id)")) {
                        handle.createUpdate(statement).bind("id", asset.value()).execute();
                    }
                    tell(EventType.ASSET_DELETED, before.get());
                    return Deletion.DELETED;
                });
    }

    /** Deleted assets whose files may still be there. */
    public List<AssetId> leftovers(int limit) {
        return database.with(
                handle ->
                        ids(
                                handle.createQuery(
                                                "SELECT id FROM deleted_assets"
                                                        + " ORDER BY id LIMIT :limit")
                                        .bind("limit", limit)));
    }

    /** The files of a deleted asset are gone. */
    public void removed(AssetId asset) {
        database.with(
                handle ->
                        handle.createUpdate("DELETE FROM deleted_assets WHERE id = :id")
                                .bind("id", asset.value())
                                .execute());
    }

    /** What is marked as being recorded, newest first: at a start, what a dead server left. */
    public List<Asset> live() {
        return chosen("WHERE live ORDER BY seq DESC", Map.of());
    }

    /** Everything that can be played, newest first. */
    public List<Asset> playable() {
        return chosen(
                "WHERE status = :status ORDER BY seq DESC",
                Map.of("status", AssetStatus.READY.wireName()));
    }

    /** Assets whose files were missing at an earlier start, newest first. */
    public List<Asset> missing() {
        return chosen(
                "WHERE status = :status AND errors LIKE :type ORDER BY seq DESC",
                Map.of(
                        "status",
                        AssetStatus.ERRORED.wireName(),
                        "type",
                        "%\"" + AssetError.FILES_MISSING + "\"%"));
    }

    /** Clips that are not cut yet, oldest first: at a start, what is still to be done. */
    public List<Asset> clipsToCut() {
        return chosen(
                "WHERE status = :status AND source_asset_id IS NOT NULL ORDER BY seq",
                Map.of("status", AssetStatus.PREPARING.wireName()));
    }

    /** Whether a clip of this asset waits to be cut, or is being cut. */
    public boolean isBeingCut(AssetId source) {
        return database.with(
                        handle ->
                                handle.createQuery(
                                                "SELECT COUNT(*) FROM assets WHERE"
                                                        + " source_asset_id = :source"
                                                        + " AND status = :status")
                                        .bind("source", source.value())
                                        .bind("status", AssetStatus.PREPARING.wireName())
                                        .mapTo(Long.class)
                                        .one())
                > 0;
    }

    private List<Asset> chosen(String where, Map<String, String> bound) {
        return database.inTransaction(
                handle ->
                        AssetRows.loadAll(
                                handle,
                                handle.createQuery("SELECT id FROM assets " + where)
                                        .bindMap(bound)
                                        .mapTo(String.class)
                                        .list()));
    }

    /** All ids: what a folder may be named after. */
    public List<AssetId> all() {
        return database.with(handle -> ids(handle.createQuery("SELECT id FROM assets")));
    }

    /**
     * Assets that have been finished for long enough to be deleted, the longest first.
     *
     * @param before finished earlier than this
     */
    public List<Finished> oldest(Instant before, int limit) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT id, finished_at_ms, size_bytes FROM assets
                                        WHERE finished_at_ms \\< :before AND NOT live
                                        ORDER BY finished_at_ms, seq LIMIT :limit
                                        """)
                                .bind("before", before.toEpochMilli())
                                .bind("limit", limit)
                                .map(
                                        (row, _) ->
                                                new Finished(
                                                        new AssetId(row.getString("id")),
                                                        Instant.ofEpochMilli(
                                                                row.getLong("finished_at_ms")),
                                                        row.getLong("size_bytes")))
                                .list());
    }

    /** Bytes of all assets together, running ones included. */
    public long totalBytes() {
        return database.with(
                handle ->
                        handle.createQuery("SELECT COALESCE(SUM(size_bytes), 0) FROM assets")
                                .mapTo(Long.class)
                                .one());
    }

    private static List<AssetId> ids(Query query) {
        return query.mapTo(String.class).map(AssetId::new).list();
    }
}
