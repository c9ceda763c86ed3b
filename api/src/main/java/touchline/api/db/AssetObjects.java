package touchline.api.db;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetStatus;

/**
 * What the rows of all nodes say about objects in S3, to be compared with these. Calls block; any
 * thread.
 */
public final class AssetObjects {
    private final Database database;

    /**
     * An asset with all files in S3.
     *
     * @param seq its place in the order of creation
     * @param uploadedAtMs when its upload was complete, in milliseconds since 1970
     */
    public record Stored(long seq, AssetId id, long durationUs, long uploadedAtMs) {}

    public AssetObjects(Database database) {
        this.database = database;
    }

    /** Those behind a place, in the order of creation. */
    public List<Stored> stored(long afterSeq, int limit) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT seq, id, duration_us, uploaded_at_ms FROM assets"
                                                + " WHERE uploaded_at_ms IS NOT NULL"
                                                + " AND seq > :after ORDER BY seq LIMIT :limit")
                                .bind("after", afterSeq)
                                .bind("limit", limit)
                                .map(
                                        (row, _) ->
                                                new Stored(
                                                        row.getLong("seq"),
                                                        new AssetId(row.getString("id")),
                                                        row.getLong("duration_us"),
                                                        row.getLong("uploaded_at_ms")))
                                .list());
    }

    /** How many assets have all files in S3. */
    public long countStored() {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT COUNT(*) FROM assets"
                                                + " WHERE uploaded_at_ms IS NOT NULL")
                                .mapTo(Long.class)
                                .one());
    }

    /** How many finished assets have files that are not in S3. */
    public long countWaiting() {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT COUNT(*) FROM assets WHERE uploaded_at_ms IS NULL"
                                                + " AND NOT live AND status = :status")
                                .bind("status", AssetStatus.READY.wireName())
                                .mapTo(Long.class)
                                .one());
    }

    /** Whether the row still says what it said: the asset was neither deleted nor changed. */
    public boolean isUnchanged(Stored asset) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT 1 FROM assets WHERE id = :id"
                                                + " AND uploaded_at_ms = :at")
                                .bind("id", asset.id().value())
                                .bind("at", asset.uploadedAtMs())
                                .mapTo(Integer.class)
                                .findOne()
                                .isPresent());
    }

    /** Assets that may have objects: existing ones, and deleted ones whose objects stay a while. */
    public Set<AssetId> known() {
        return new HashSet<>(
                database.with(
                        handle ->
                                handle.createQuery(
                                                "SELECT id FROM assets"
                                                        + " UNION SELECT id FROM deleted_objects")
                                        .mapTo(String.class)
                                        .map(AssetId::new)
                                        .list()));
    }
}
