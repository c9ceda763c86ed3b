package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.WebhookEndpoint;

/** Webhook endpoints as rows. */
final class EndpointRows {
    private final EndpointUrls urls;

    EndpointRows(EndpointUrls urls) {
        this.urls = urls;
    }

    /**
     * What is sealed in the row.
     *
     * @param previousUntilMs without meaning if there is no previous one
     * @param url with its query
     */
    record Kept(
            String current,
            @Nullable String previous,
            long previousUntilMs,
            EndpointUrls.Stored url) {
        @Override
        public String toString() {
            return "Kept[masked]";
        }
    }

    /** The endpoints that receive an event, in the order of their creation. */
    static List<String> asking(Handle handle, Event event) {
        return handle
                .createQuery(
                        """
                        SELECT id, events, stream_ids FROM webhook_endpoints
                        WHERE disabled_reason IS NULL ORDER BY seq
                        """)
                .map((row, _) -> Map.entry(row.getString("id"), filter(row)))
                .list()
                .stream()
                .filter(endpoint -> endpoint.getValue().accepts(event.type(), event.stream()))
                .map(Map.Entry::getKey)
                .toList();
    }

    void insert(Handle handle, WebhookEndpoint endpoint, String secret) {
        bind(
                        handle.createUpdate(
                                """
                                INSERT INTO webhook_endpoints (id, url, query_sealed, description,
                                    events, stream_ids, sealed, disabled_reason, disabled_at_ms,
                                    failing_since_ms, created_at_ms)
                                VALUES (:id, :url, :query, :description, :events, :streams,
                                    :sealed, :reason, :disabledAt, :failingSince, :createdAt)
                                """),
                        endpoint)
                .bind("sealed", secret)
                .bind("createdAt", endpoint.createdAt().toEpochMilli())
                .execute();
    }

    void update(Handle handle, WebhookEndpoint endpoint) {
        bind(
                        handle.createUpdate(
                                """
                                UPDATE webhook_endpoints SET url = :url,
                                    query_sealed = :query, description = :description, events = :events,
                                    stream_ids = :streams, disabled_reason = :reason,
                                    disabled_at_ms = :disabledAt, failing_since_ms = :failingSince
                                WHERE id = :id
                                """),
                        endpoint)
                .execute();
    }

    private Update bind(Update update, WebhookEndpoint endpoint) {
        Optional<WebhookEndpoint.Disabled> disabled = endpoint.disabled();
        EndpointUrls.Stored url = urls.toStore(endpoint);
        return update.bind("id", endpoint.id())
                .bind("url", url.bare())
                .bind("query", url.query())
                .bind("description", endpoint.description())
                .bind("events", SettingsJson.write(endpoint.filter().types()))
                .bind("streams", endpoint.filter().streams().map(SettingsJson::write).orElse(null))
                .bind("reason", disabled.map(d -> d.reason().wireName()).orElse(null))
                .bind("disabledAt", disabled.map(d -> d.at().toEpochMilli()).orElse(null))
                .bind(
                        "failingSince",
                        endpoint.failingSince().map(Instant::toEpochMilli).orElse(null));
    }

    /** Holds the row until the transaction ends; false where it does not exist. */
    static boolean lock(Handle handle, String endpoint) {
        return handle.createQuery("SELECT id FROM webhook_endpoints WHERE id = :id FOR UPDATE")
                .bind("id", endpoint)
                .mapTo(String.class)
                .findOne()
                .isPresent();
    }

    Optional<WebhookEndpoint> find(Handle handle, String endpoint) {
        return handle.createQuery("SELECT * FROM webhook_endpoints WHERE id = :id")
                .bind("id", endpoint)
                .map((row, _) -> endpoint(row))
                .findOne();
    }

    List<WebhookEndpoint> enabled(Handle handle) {
        return handle.createQuery(
                        "SELECT * FROM webhook_endpoints WHERE disabled_reason IS NULL ORDER BY"
                                + " seq")
                .map((row, _) -> endpoint(row))
                .list();
    }

    static List<String> ids(Handle handle) {
        return handle.createQuery("SELECT id FROM webhook_endpoints").mapTo(String.class).list();
    }

    static Optional<Kept> kept(Handle handle, String endpoint) {
        return handle.createQuery(
                        """
                        SELECT sealed, previous_sealed, previous_until_ms, url, query_sealed
                        FROM webhook_endpoints WHERE id = :id
                        """)
                .bind("id", endpoint)
                .map(
                        (row, _) ->
                                new Kept(
                                        row.getString("sealed"),
                                        row.getString("previous_sealed"),
                                        row.getLong("previous_until_ms"),
                                        url(row)))
                .findOne();
    }

    /** Replaces what is sealed; the time of the previous secret stays. */
    static void reseal(Handle handle, String endpoint, Kept fresh) {
        handle.createUpdate(
                        """
                        UPDATE webhook_endpoints SET sealed = :current, previous_sealed = :previous,
                            url = :url, query_sealed = :query
                        WHERE id = :id
                        """)
                .bind("id", endpoint)
                .bind("current", fresh.current())
                .bind("previous", fresh.previous())
                .bind("url", fresh.url().bare())
                .bind("query", fresh.url().query())
                .execute();
    }

    private static EndpointUrls.Stored url(ResultSet row) throws SQLException {
        return new EndpointUrls.Stored(row.getString("url"), row.getString("query_sealed"));
    }

    WebhookEndpoint endpoint(ResultSet row) throws SQLException {
        Optional<WebhookEndpoint.Disabled> disabled = Optional.empty();
        String reason = row.getString("disabled_reason");
        if (reason != null) {
            disabled =
                    Optional.of(
                            new WebhookEndpoint.Disabled(
                                    WebhookEndpoint.Reason.of(reason).orElseThrow(),
                                    Instant.ofEpochMilli(row.getLong("disabled_at_ms"))));
        }
        long failingSinceMs = row.getLong("failing_since_ms");
        Optional<Instant> failingSince =
                row.wasNull()
                        ? Optional.empty()
                        : Optional.of(Instant.ofEpochMilli(failingSinceMs));
        return new WebhookEndpoint(
                row.getString("id"),
                urls.url(url(row), row.getString("id")),
                row.getString("description"),
                filter(row),
                disabled,
                failingSince,
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }

    private static EventFilter filter(ResultSet row) throws SQLException {
        return new EventFilter(
                SettingsJson.readTexts(row.getString("events")),
                Optional.ofNullable(row.getString("stream_ids")).map(SettingsJson::readTexts));
    }
}
