package touchline.api.db;

import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StorageType;

/** Output storages, their secrets sealed. Calls block; any thread. */
public final class StorageRepository {
    /** The result of a deletion. */
    public enum Deletion {
        NOT_FOUND,
        /** Tasks still write to it. */
        IN_USE,
        DELETED
    }

    private static final String PRESENT = " WHERE deleted_at_ms IS NULL";

    private final Database database;
    private final SecretVault vault;

    public StorageRepository(Database database, SecretVault vault) {
        this.database = database;
        this.vault = vault;
    }

    public void create(OutputStorage storage) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        INSERT INTO transcoding_storages (id, type, region, bucket,
                                            prefix, endpoint, path_style, sealed, notify,
                                            created_at_ms)
                                        VALUES (:id, :type, :region, :bucket, :prefix, :endpoint,
                                            :pathStyle, :sealed, :notify, :createdAt)
                                        """)
                                .bind("id", storage.id())
                                .bind("type", storage.type().wireName())
                                .bind("region", storage.region())
                                .bind("bucket", storage.bucket())
                                .bind("prefix", storage.prefix())
                                .bind(
                                        "endpoint",
                                        storage.endpoint().map(URI::toString).orElse(null))
                                .bind("pathStyle", storage.pathStyle().orElse(null))
                                .bind("sealed", sealed(storage).orElse(null))
                                .bind("notify", storage.notifyUrl().toString())
                                .bind("createdAt", storage.createdAt().toEpochMilli())
                                .execute());
    }

    private Optional<String> sealed(OutputStorage storage) {
        return storage.keys().isEmpty() && storage.notifySecret().isEmpty()
                ? Optional.empty()
                : Optional.of(vault.seal(StorageSecretsJson.of(storage).text(), storage.id()));
    }

    public Optional<OutputStorage> find(String id) {
        return one("SELECT * FROM transcoding_storages" + PRESENT + " AND id = :id", id);
    }

    /** Also finds a deleted storage until it is purged. */
    public Optional<OutputStorage> findKept(String id) {
        return one("SELECT * FROM transcoding_storages WHERE id = :id", id);
    }

    private Optional<OutputStorage> one(String query, String id) {
        return database.with(
                handle ->
                        handle.createQuery(query)
                                .bind("id", id)
                                .map((row, _) -> storage(row))
                                .findOne());
    }

    /** Newest first, stable. */
    public Page<OutputStorage> list(PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery("transcoding_storages" + PRESENT, "seq DESC")
                                .read(handle, request, (row, _) -> storage(row)));
    }

    public long count() {
        return database.with(
                handle ->
                        handle.createQuery("SELECT COUNT(*) FROM transcoding_storages" + PRESENT)
                                .mapTo(Long.class)
                                .one());
    }

    /**
     * Holds a storage until the transaction ends, so that it cannot be deleted in between.
     *
     * @return false where it does not exist
     */
    boolean hold(String id) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT id FROM transcoding_storages"
                                                + PRESENT
                                                + " AND id = :id FOR UPDATE")
                                .bind("id", id)
                                .mapTo(String.class)
                                .findOne()
                                .isPresent());
    }

    /** Deletes a storage that no task writes to. */
    public Deletion delete(String id, Instant at) {
        return database.inTransaction(
                handle -> {
                    if (!hold(id)) {
                        return Deletion.NOT_FOUND;
                    }
                    long busy =
                            handle.createQuery(
                                            """
                                            SELECT COUNT(*) FROM transcoding_requests
                                            WHERE storage_id = :id AND notice = 'waiting'
                                            """)
                                    .bind("id", id)
                                    .mapTo(Long.class)
                                    .one();
                    if (busy > 0) {
                        return Deletion.IN_USE;
                    }
                    handle.createUpdate(
                                    "UPDATE transcoding_storages SET deleted_at_ms = :at"
                                            + " WHERE id = :id")
                            .bind("at", at.toEpochMilli())
                            .bind("id", id)
                            .execute();
                    return Deletion.DELETED;
                });
    }

    /** Purges deleted storages that no notification needs any more. Returns their number. */
    public int purge() {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        DELETE FROM transcoding_storages
                                        WHERE deleted_at_ms IS NOT NULL AND id NOT IN (
                                            SELECT storage_id FROM transcoding_requests
                                            WHERE notice IN ('waiting', 'pending'))
                                        """)
                                .execute());
    }

    /** Seals secrets of an older master key again. Returns their number. */
    public int resealStale() {
        return database.inTransaction(
                handle -> {
                    List<Map.Entry<String, String>> stale =
                            handle
                                    .createQuery(
                                            "SELECT id, sealed FROM transcoding_storages"
                                                    + " WHERE sealed IS NOT NULL")
                                    .map(
                                            (row, _) ->
                                                    Map.entry(
                                                            row.getString("id"),
                                                            row.getString("sealed")))
                                    .stream()
                                    .filter(each -> vault.isStale(each.getValue()))
                                    .toList();
                    for (Map.Entry<String, String> each : stale) {
                        String id = each.getKey();
                        handle.createUpdate(
                                        "UPDATE transcoding_storages SET sealed = :sealed"
                                                + " WHERE id = :id")
                                .bind("sealed", vault.seal(vault.open(each.getValue(), id), id))
                                .bind("id", id)
                                .execute();
                    }
                    return stale.size();
                });
    }

    private OutputStorage storage(ResultSet row) throws SQLException {
        String id = row.getString("id");
        String sealed = row.getString("sealed");
        StorageSecretsJson secrets =
                sealed == null
                        ? new StorageSecretsJson(Optional.empty(), Optional.empty())
                        : StorageSecretsJson.parse(vault.open(sealed, id));
        boolean pathStyle = row.getBoolean("path_style");
        return new OutputStorage(
                id,
                StorageType.of(row.getString("type")).orElseThrow(),
                row.getString("region"),
                row.getString("bucket"),
                row.getString("prefix"),
                Optional.ofNullable(row.getString("endpoint")).map(URI::create),
                row.getObject("path_style") == null ? Optional.empty() : Optional.of(pathStyle),
                secrets.keys(),
                URI.create(row.getString("notify")),
                secrets.notifySecret(),
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }
}
