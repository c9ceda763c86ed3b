package touchline.api.db;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
import touchline.media.StreamId;

/**
 * Assets with their playback ids. Each change stores its event in the same transaction. Calls
 * block; any thread.
 */
public final class AssetRepository {
    /** The result of a deletion. */
    public enum Deletion {
        NOT_FOUND,
        /** It is being recorded. */
        LIVE,
        DELETED
    }

    private final Database database;
    private final Function<Asset, ObjectNode> view;
    private final AssetHome home;

    /**
     * @param view the JSON of an asset in events
     */
    public AssetRepository(Database database, Function<Asset, ObjectNode> view) {
        this.database = database;
        this.view = view;
        this.home = new AssetHome(database.node());
    }

    /** Stores a new asset with its playback ids, all or nothing. */
    public void create(Asset asset) {
        database.inTransaction(
                handle -> {
                    AssetRows.insert(handle, asset);
                    if (home.isNode()) {
                        home.settle(handle, asset.id());
                    }
                    record(EventType.ASSET_CREATED, asset);
                    return true;
                });
    }

    /** Stores an asset's new state; false where it was deleted, or another node has taken it. */
    public boolean update(AssetId asset, AssetState state) {
        return update(asset, state, () -> {});
    }

    /**
     * The same with a change of other rows.
     *
     * @param with called in the transaction, if the state is stored
     */
    public boolean update(AssetId asset, AssetState state, Runnable with) {
        return database.inTransaction(
                handle -> {
                    Optional<Asset> before = locked(handle, asset);
                    if (before.isEmpty() || !home.isHere(handle, before.get())) {
                        return false;
                    }
                    AssetRows.update(handle, asset, state);
                    with.run();
                    event(before.get().state(), state)
                            .ifPresent(type -> record(type, before.get().with(state)));
                    return true;
                });
    }

    /** The event of a change, if it has one. */
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

    private void record(EventType type, Asset asset) {
        database.outbox().append(NewEvent.of(type, asset.stream(), view.apply(asset)));
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
    public Page<Asset> list(AssetListing listing, PageRequest request) {
        StringBuilder where = new StringBuilder(" WHERE 1 = 1");
        Map<String, String> bound = new HashMap<>();
        listing.stream()
                .ifPresent(
                        stream -> {
                            where.append(" AND stream_id = :stream");
                            bound.put("stream", stream.value());
                        });
        listing.recorded()
                .ifPresent(
                        is -> where.append(" AND session_id IS ").append(is ? "NOT NULL" : "NULL"));
        listing.search()
                .ifPresent(
                        text -> {
                            where.append(" AND ")
                                    .append(TextSearch.in("title", "user_metadata", "id"));
                            bound.put(TextSearch.PARAMETER, new TextSearch(text).pattern());
                        });
        PagedQuery query =
                new PagedQuery("id", "assets" + where, "seq DESC", each -> each.bindMap(bound));
        return database.inTransaction(
                handle -> {
                    Page<String> ids = query.read(handle, request, (row, _) -> row.getString("id"));
                    return Page.of(AssetRows.load(handle, ids.items()), request, ids.total());
                });
    }

    /**
     * The newest recordings of each of these streams, newest first; clips are left out.
     *
     * @param each maximum for each stream
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

    /** Deletes an asset that is not being recorded. Its files are listed for removal. */
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
                    AssetUploads.deleted(handle, asset);
                    for (String statement :
                            List.of(
                                    "INSERT INTO deleted_assets (id, home)"
                                            + " SELECT id, home FROM assets WHERE id = :id",
                                    "DELETE FROM assets WHERE id = :id")) {
                        handle.createUpdate(statement).bind("id", asset.value()).execute();
                    }
                    database.changes().record(ClusterChanges.Kind.ASSET, asset.value());
                    record(EventType.ASSET_DELETED, before.get());
                    return Deletion.DELETED;
                });
    }

    /** Deleted assets with files on this server that may still exist. */
    public List<AssetId> leftovers(int limit) {
        return database.with(
                handle ->
                        ids(
                                home.bound(
                                                handle.createQuery(
                                                        "SELECT id FROM deleted_assets WHERE "
                                                                + home.here()
                                                                + " ORDER BY id LIMIT :limit"))
                                        .bind("limit", limit)));
    }

    /**
     * Makes assets from before the cluster this node's, whose files it has. Without a cluster it
     * does nothing.
     *
     * @param folders names of the asset folders
     */
    public void adopt(Set<String> folders) {
        if (home.isNode()) {
            database.inTransaction(handle -> home.adopt(handle, folders));
        }
    }

    /** The node whose disk has the files; empty without a cluster. */
    public Optional<String> homeOf(AssetId asset) {
        return home.isNode() ? database.with(handle -> home.of(handle, asset)) : Optional.empty();
    }

    /** The same, empty where any node can bring the files back from S3. */
    public Optional<String> onlyHomeOf(AssetId asset) {
        return database.with(handle -> home.onlyOf(handle, asset));
    }

    /** The files of a deleted asset are gone. */
    public void removed(AssetId asset) {
        database.with(
                handle ->
                        handle.createUpdate("DELETE FROM deleted_assets WHERE id = :id")
                                .bind("id", asset.value())
                                .execute());
    }

    /**
     * Assets that this server records, newest first. At a start, those that were being recorded
     * when it crashed.
     */
    public List<Asset> live() {
        return chosen("live ORDER BY seq DESC", Map.of());
    }

    /** Assets of this server that can be played, newest first. */
    public List<Asset> playable() {
        return chosen(
                "status = :status ORDER BY seq DESC",
                Map.of("status", AssetStatus.READY.wireName()));
    }

    /** Assets with files that this server lacked at an earlier start, newest first. */
    public List<Asset> missing() {
        return chosen(
                "status = :status AND errors LIKE :type ORDER BY seq DESC",
                Map.of(
                        "status",
                        AssetStatus.ERRORED.wireName(),
                        "type",
                        "%\"" + AssetError.FILES_MISSING + "\"%"));
    }

    /**
     * Those of some assets that another node has by now, and whether all their files are in S3.
     *
     * @param folders names of folders, foreign ones included
     */
    public Map<AssetId, Boolean> elsewhere(Set<String> folders) {
        return database.with(handle -> home.elsewhere(handle, folders));
    }

    /** Clips that this server has not cut yet, oldest first. */
    public List<Asset> clipsToCut() {
        return chosen(
                "status = :status AND source_asset_id IS NOT NULL ORDER BY seq",
                Map.of("status", AssetStatus.PREPARING.wireName()));
    }

    /** Whether a clip of this asset waits to be cut, or is being cut. */
    public boolean isBeingCut(AssetId source) {
        return database.with(
                        handle ->
                                handle.createQuery(
                                                """
                                                SELECT COUNT(*) FROM assets
                                                WHERE status = :status
                                                    AND (source_asset_id = :source
                                                        OR EXISTS (SELECT 1 FROM clip_ranges
                                                            WHERE asset_id = assets.id
                                                                AND clip_ranges.source_asset_id
                                                                    = :source))
                                                """)
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
                                home.bound(
                                                handle.createQuery(
                                                        "SELECT id FROM assets WHERE "
                                                                + home.here()
                                                                + " AND "
                                                                + where))
                                        .bindMap(bound)
                                        .mapTo(String.class)
                                        .list()));
    }

    /** All ids: the names of the asset folders. */
    public List<AssetId> all() {
        return database.with(handle -> ids(handle.createQuery("SELECT id FROM assets")));
    }

    private static List<AssetId> ids(Query query) {
        return query.mapTo(String.class).map(AssetId::new).list();
    }
}
