package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;

/** Access tokens, without the bootstrap one. Calls block; any thread. */
public final class TokenRepository {
    private final Database database;

    public TokenRepository(Database database) {
        this.database = database;
    }

    public void create(AccessToken token) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        INSERT INTO access_tokens (id, name, scopes, expires_at_ms,
                                            secret_hash, created_at_ms)
                                        VALUES (:id, :name, :scopes, :expiresAt, :hash, :createdAt)
                                        """)
                                .bind("id", token.id())
                                .bind("name", token.name())
                                .bind("scopes", write(token.scopes()))
                                .bind(
                                        "expiresAt",
                                        token.expiresAt().map(Instant::toEpochMilli).orElse(null))
                                .bind("hash", token.secretHash())
                                .bind("createdAt", token.createdAt().toEpochMilli())
                                .execute());
    }

    /** Expired ones too. */
    public Optional<AccessToken> find(String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM access_tokens WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> token(row))
                                .findOne());
    }

    /** Newest first, stable; expired ones too. */
    public Page<AccessToken> list(PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery("access_tokens", "seq DESC")
                                .read(handle, request, (row, _) -> token(row)));
    }

    /** False where it does not exist. */
    public boolean delete(String id) {
        return database.with(
                handle ->
                        handle.createUpdate("DELETE FROM access_tokens WHERE id = :id")
                                        .bind("id", id)
                                        .execute()
                                > 0);
    }

    /**
     * Deletes tokens that expired before this time.
     *
     * @param limit how many at most
     * @return their number
     */
    public int deleteExpired(Instant before, int limit) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        DELETE FROM access_tokens WHERE id IN (
                                            SELECT id FROM access_tokens
                                            WHERE expires_at_ms IS NOT NULL
                                                AND expires_at_ms \\< :before
                                            ORDER BY expires_at_ms LIMIT :limit)
                                        """)
                                .bind("before", before.toEpochMilli())
                                .bind("limit", limit)
                                .execute());
    }

    /**
     * Stores when tokens were last used.
     *
     * @param times by token id, not empty
     */
    public void used(Map<String, Instant> times) {
        LastUseColumn.write(database, "access_tokens", times);
    }

    private static String write(Set<Scope> scopes) {
        return scopes.stream().map(Scope::wireName).collect(Collectors.joining(" "));
    }

    private static AccessToken token(ResultSet row) throws SQLException {
        EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
        String text = row.getString("scopes");
        if (!text.isEmpty()) {
            for (String scope : text.split(" ", -1)) {
                scopes.add(Scope.of(scope).orElseThrow());
            }
        }
        long expiresAtMs = row.getLong("expires_at_ms");
        Optional<Instant> expiresAt =
                row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(expiresAtMs));
        return new AccessToken(
                row.getString("id"),
                row.getString("name"),
                scopes,
                expiresAt,
                row.getString("secret_hash"),
                Instant.ofEpochMilli(row.getLong("created_at_ms")),
                LastUseColumn.read(row));
    }
}
