package touchline.api.db;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookSecrets;

/** Webhook endpoints and their secrets. Calls block; any thread. */
public final class WebhookRepository {
    private final Database database;
    private final SecretVault vault;
    private final EndpointUrls urls;
    private final EndpointRows rows;

    public WebhookRepository(Database database, SecretVault vault) {
        this.database = database;
        this.vault = vault;
        this.urls = new EndpointUrls(vault);
        this.rows = new EndpointRows(urls);
    }

    /**
     * Stores a new endpoint, up to a maximum number.
     *
     * @return false where {@code most} exist already
     */
    public boolean create(WebhookEndpoint endpoint, String secret, int most) {
        return database.inTransaction(
                handle -> {
                    if (count(handle) >= most) {
                        return false;
                    }
                    rows.insert(handle, endpoint, vault.seal(secret, endpoint.id()));
                    return true;
                });
    }

    public Optional<WebhookEndpoint> find(String endpoint) {
        return database.with(handle -> rows.find(handle, endpoint));
    }

    /** Newest first, stable. */
    public Page<WebhookEndpoint> list(PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery("webhook_endpoints", "seq DESC")
                                .read(handle, request, (row, _) -> rows.endpoint(row)));
    }

    /** The enabled endpoints. */
    public List<WebhookEndpoint> enabled() {
        return database.with(rows::enabled);
    }

    /** Enabled endpoints whose last attempt failed. */
    public long failing() {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT COUNT(*) FROM webhook_endpoints
                                        WHERE disabled_reason IS NULL
                                            AND failing_since_ms IS NOT NULL
                                        """)
                                .mapTo(Long.class)
                                .one());
    }

    /** Changes an endpoint under a lock; empty where it does not exist. */
    public Optional<WebhookEndpoint> change(
            String endpoint, UnaryOperator<WebhookEndpoint> change) {
        return database.inTransaction(
                handle -> {
                    if (!EndpointRows.lock(handle, endpoint)) {
                        return Optional.empty();
                    }
                    Optional<WebhookEndpoint> changed = rows.find(handle, endpoint).map(change);
                    changed.ifPresent(after -> rows.update(handle, after));
                    database.changes().record(ClusterChanges.Kind.ENDPOINT, endpoint);
                    return changed;
                });
    }

    /** Deletes an endpoint with all its deliveries; false where it does not exist. */
    public boolean delete(String endpoint) {
        return database.inTransaction(
                handle -> {
                    database.changes().record(ClusterChanges.Kind.ENDPOINT, endpoint);
                    handle.createUpdate("DELETE FROM deliveries WHERE endpoint_id = :id")
                            .bind("id", endpoint)
                            .execute();
                    return handle.createUpdate("DELETE FROM webhook_endpoints WHERE id = :id")
                                    .bind("id", endpoint)
                                    .execute()
                            > 0;
                });
    }

    /**
     * Replaces the secret; the one before signs too for a while.
     *
     * @param previousUntil end of that time
     */
    public boolean rotate(String endpoint, String newSecret, Instant previousUntil) {
        return database.inTransaction(
                handle -> {
                    database.changes().record(ClusterChanges.Kind.ENDPOINT, endpoint);
                    return handle.createUpdate(
                                            """
                                                UPDATE webhook_endpoints SET
                                                    previous_sealed = sealed,
                                                    previous_until_ms = :until, sealed = :sealed
                                                WHERE id = :id
                                                """)
                                    .bind("id", endpoint)
                                    .bind("until", previousUntil.toEpochMilli())
                                    .bind("sealed", vault.seal(newSecret, endpoint))
                                    .execute()
                            > 0;
                });
    }

    public Optional<WebhookSecrets> secrets(String endpoint) {
        return database.with(handle -> EndpointRows.kept(handle, endpoint))
                .map(
                        kept ->
                                new WebhookSecrets(
                                        vault.open(kept.current(), endpoint),
                                        previous(kept, endpoint)));
    }

    private Optional<WebhookSecrets.Previous> previous(EndpointRows.Kept kept, String endpoint) {
        String text = kept.previous();
        return text == null
                ? Optional.empty()
                : Optional.of(
                        new WebhookSecrets.Previous(
                                vault.open(text, endpoint),
                                Instant.ofEpochMilli(kept.previousUntilMs())));
    }

    /**
     * Seals again what an older master key has sealed, and queries that were not sealed. Call it at
     * the start.
     *
     * @throws RuntimeException when the master key of one is missing
     */
    public int resealStale() {
        return database.inTransaction(
                handle -> {
                    int stale = 0;
                    for (String endpoint : EndpointRows.ids(handle)) {
                        stale += reseal(handle, endpoint) ? 1 : 0;
                    }
                    return stale;
                });
    }

    private boolean reseal(Handle handle, String endpoint) {
        EndpointRows.Kept kept = EndpointRows.kept(handle, endpoint).orElseThrow();
        String before = kept.previous();
        EndpointRows.Kept fresh =
                new EndpointRows.Kept(
                        fresh(kept.current(), endpoint),
                        before == null ? null : fresh(before, endpoint),
                        kept.previousUntilMs(),
                        urls.fresh(kept.url(), endpoint));
        boolean stale = !fresh.equals(kept);
        if (stale) {
            EndpointRows.reseal(handle, endpoint, fresh);
        }
        return stale;
    }

    private String fresh(String text, String endpoint) {
        return vault.isStale(text) ? vault.seal(vault.open(text, endpoint), endpoint) : text;
    }

    private static long count(Handle handle) {
        return handle.createQuery("SELECT COUNT(*) FROM webhook_endpoints").mapTo(Long.class).one();
    }
}
