package touchline.api.db;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetStatus;

/**
 * Which assets of this server are in S3, which are on their way there, and which objects are left
 * of deleted ones. Calls block; any thread.
 */
public final class AssetUploads {
    private static final int AT_ONCE = 500;

    private final Database database;
    private final AssetHome home;
    private final DeletedObjects deleted;

    /**
     * An asset with files that are not in S3.
     *
     * @param live it is being recorded
     * @param sizeBytes of all its files
     */
    public record Pending(AssetId id, boolean live, long sizeBytes) {}

    /**
     * Finished assets that are not completely in S3.
     *
     * @param oldest end of the one that was finished first
     */
    public record Backlog(long assets, long bytes, Optional<Instant> oldest) {}

    public AssetUploads(Database database) {
        this.database = database;
        this.home = new AssetHome(database.node());
        this.deleted = new DeletedObjects("deleted_objects", "id", home);
    }

    /** Those that are being recorded, then finished ones, the oldest first. */
    public List<Pending> pending(int limit) {
        return database.with(
                handle ->
                        home.bound(
                                        handle.createQuery(
                                                "SELECT id, live, size_bytes FROM assets"
                                                        + " WHERE uploaded_at_ms IS NULL"
                                                        + " AND status = :status AND "
                                                        + home.here()
                                                        + " ORDER BY live DESC, seq LIMIT :limit"))
                                .bind("status", AssetStatus.READY.wireName())
                                .bind("limit", limit)
                                .map(
                                        (row, _) ->
                                                new Pending(
                                                        new AssetId(row.getString("id")),
                                                        row.getBoolean("live"),
                                                        row.getLong("size_bytes")))
                                .list());
    }

    public Backlog backlog() {
        return database.with(
                handle ->
                        home.bound(
                                        handle.createQuery(
                                                "SELECT COUNT(*) AS assets,"
                                                        + " COALESCE(SUM(size_bytes), 0) AS bytes,"
                                                        + " COALESCE(MIN(finished_at_ms), -1)"
                                                        + " AS oldest FROM assets"
                                                        + " WHERE uploaded_at_ms IS NULL"
                                                        + " AND NOT live AND status = :status AND "
                                                        + home.here()))
                                .bind("status", AssetStatus.READY.wireName())
                                .map(
                                        (row, _) -> {
                                            long oldest = row.getLong("oldest");
                                            return new Backlog(
                                                    row.getLong("assets"),
                                                    row.getLong("bytes"),
                                                    oldest < 0
                                                            ? Optional.empty()
                                                            : Optional.of(
                                                                    Instant.ofEpochMilli(oldest)));
                                        })
                                .one());
    }

    /**
     * Called before an asset's first object is written; false if the asset was deleted, or another
     * node finishes it, so that this one must not write.
     */
    public boolean begin(AssetId asset, Instant at) {
        return update(
                "UPDATE assets SET upload_begun_at_ms = COALESCE(upload_begun_at_ms, :at)"
                        + " WHERE id = :id",
                asset,
                at);
    }

    /** All files of a finished asset are in S3; false as in {@link #begin}. */
    public boolean finish(AssetId asset, Instant at) {
        return update(
                "UPDATE assets SET uploaded_at_ms = :at WHERE id = :id AND NOT live", asset, at);
    }

    /** Whether an asset is being recorded, also before its first segment. */
    public boolean isLive(AssetId asset) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT 1 FROM assets WHERE id = :id AND live")
                                .bind("id", asset.value())
                                .mapTo(Integer.class)
                                .findOne()
                                .isPresent());
    }

    /** A finished asset has new files. */
    public void reopen(AssetId asset) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "UPDATE assets SET uploaded_at_ms = NULL WHERE id = :id")
                                .bind("id", asset.value())
                                .execute());
    }

    private boolean update(String statement, AssetId asset, Instant at) {
        return database.with(
                        handle ->
                                home.bound(handle.createUpdate(statement + " AND " + home.here()))
                                        .bind("id", asset.value())
                                        .bind("at", at.toEpochMilli())
                                        .execute())
                > 0;
    }

    /** Assets of this server with all files in S3. */
    public Set<AssetId> uploaded() {
        return new HashSet<>(
                database.with(
                        handle ->
                                home.bound(
                                                handle.createQuery(
                                                        "SELECT id FROM assets WHERE"
                                                                + " uploaded_at_ms IS NOT NULL"
                                                                + " AND "
                                                                + home.here()))
                                        .mapTo(String.class)
                                        .map(AssetId::new)
                                        .list()));
    }

    /** Whether all files of an asset are in S3, of whichever node it is. */
    public boolean isUploaded(AssetId asset) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT 1 FROM assets WHERE id = :id"
                                                + " AND uploaded_at_ms IS NOT NULL")
                                .bind("id", asset.value())
                                .mapTo(Integer.class)
                                .findOne()
                                .isPresent());
    }

    /** Whether files of an asset are only at another node, which has not uploaded them yet. */
    public boolean isOnlyElsewhere(AssetId asset) {
        return home.isNode()
                && database.with(
                        handle ->
                                home.bound(
                                                handle.createQuery(
                                                        "SELECT 1 FROM assets WHERE id = :id"
                                                                + " AND uploaded_at_ms IS NULL"
                                                                + " AND home != :home"))
                                        .bind("id", asset.value())
                                        .mapTo(Integer.class)
                                        .findOne()
                                        .isPresent());
    }

    /**
     * Those of some assets with all files in S3, of whichever node they are.
     *
     * @param folders names of folders, foreign ones included
     */
    public Set<AssetId> uploaded(Collection<String> folders) {
        List<String> all = new ArrayList<>(folders);
        Set<AssetId> found = new HashSet<>();
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            List<String> some = all.subList(from, Math.min(all.size(), from + AT_ONCE));
            found.addAll(
                    database.with(
                            handle ->
                                    handle.createQuery(
                                                    "SELECT id FROM assets"
                                                            + " WHERE uploaded_at_ms IS NOT NULL"
                                                            + " AND id IN (<ids>)")
                                            .bindList("ids", some)
                                            .mapTo(String.class)
                                            .map(AssetId::new)
                                            .list()));
        }
        return found;
    }

    /** How many assets of this server have all files in S3. */
    public long countUploaded() {
        return database.with(
                handle ->
                        home.bound(
                                        handle.createQuery(
                                                "SELECT COUNT(*) FROM assets WHERE"
                                                        + " uploaded_at_ms IS NOT NULL AND "
                                                        + home.here()))
                                .mapTo(Long.class)
                                .one());
    }

    /** Lists the objects of an asset that is being deleted. In the transaction of the deletion. */
    static void deleted(Handle handle, AssetId asset) {
        handle.createUpdate(
                        "INSERT INTO deleted_objects (id, home, deleted_at_ms)"
                                + " SELECT id, home,"
                                + " CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)"
                                + " FROM assets"
                                + " WHERE id = :id AND upload_begun_at_ms IS NOT NULL")
                .bind("id", asset.value())
                .execute();
    }

    /**
     * Deleted assets that may have objects, oldest first.
     *
     * @param mine deleted before this time by this server, or by a node that does not run
     * @param any deleted before this time by any node
     */
    public Set<AssetId> deletedBefore(Instant mine, Instant any, int limit) {
        return database.with(
                handle ->
                        deleted.before(handle, mine, any, limit).stream()
                                .map(AssetId::new)
                                .collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    /** The objects of a deleted asset are gone. */
    public void forget(AssetId asset) {
        database.with(
                handle ->
                        handle.createUpdate("DELETE FROM deleted_objects WHERE id = :id")
                                .bind("id", asset.value())
                                .execute());
    }
}
