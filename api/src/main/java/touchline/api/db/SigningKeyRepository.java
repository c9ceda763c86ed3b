package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.SigningKey;

/** Signing keys, their public halves only. Calls block; any thread. */
public final class SigningKeyRepository {
    private final Database database;

    public SigningKeyRepository(Database database) {
        this.database = database;
    }

    public void create(SigningKey key) {
        database.transact(() -> insert(key));
    }

    private void insert(SigningKey key) {
        database.changes().record(ClusterChanges.Kind.SIGNING_KEY, key.id());
        database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        INSERT INTO signing_keys (id, public_key, created_at_ms)
                                        VALUES (:id, :publicKey, :createdAt)
                                        """)
                                .bind("id", key.id())
                                .bind("publicKey", key.publicKey())
                                .bind("createdAt", key.createdAt().toEpochMilli())
                                .execute());
    }

    public Optional<SigningKey> find(String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM signing_keys WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> key(row))
                                .findOne());
    }

    /** Newest first. */
    public List<SigningKey> all() {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM signing_keys ORDER BY seq DESC")
                                .map((row, _) -> key(row))
                                .list());
    }

    /** Newest first, stable. */
    public Page<SigningKey> list(PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery("signing_keys", "seq DESC")
                                .read(handle, request, (row, _) -> key(row)));
    }

    public long count() {
        return database.with(
                handle ->
                        handle.createQuery("SELECT COUNT(*) FROM signing_keys")
                                .mapTo(Long.class)
                                .one());
    }

    /** False where it does not exist. */
    public boolean delete(String id) {
        return database.inTransaction(
                handle -> {
                    database.changes().record(ClusterChanges.Kind.SIGNING_KEY, id);
                    return handle.createUpdate("DELETE FROM signing_keys WHERE id = :id")
                                    .bind("id", id)
                                    .execute()
                            > 0;
                });
    }

    /**
     * Stores when keys were last used.
     *
     * @param times by key id, not empty
     */
    public void used(Map<String, Instant> times) {
        LastUseColumn.write(database, "signing_keys", times);
    }

    private static SigningKey key(ResultSet row) throws SQLException {
        return new SigningKey(
                row.getString("id"),
                row.getString("public_key"),
                Instant.ofEpochMilli(row.getLong("created_at_ms")),
                LastUseColumn.read(row));
    }
}
