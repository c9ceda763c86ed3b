package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.EventFilter;
import touchline.api.domain.PageRequest;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookSecrets;

/** Contract of the addresses of webhook endpoints at rest, on any database. */
abstract class WebhookUrlContract {
    private WebhookRepository endpoints;

    abstract Database database();

    @BeforeEach
    void empty() {
        for (String table : List.of("deliveries", "events", "webhook_endpoints")) {
            database().with(handle -> handle.execute("DELETE FROM " + table));
        }
        endpoints = new WebhookRepository(database(), WebhookRepositoryContract.VAULT);
    }

    private WebhookEndpoint endpoint() {
        WebhookEndpoint endpoint =
                new WebhookEndpoint(
                        WebhookEndpoint.newId(),
                        "https://a.test/\u00e4?x=1",
                        "",
                        new EventFilter(List.of("*"), Optional.empty()),
                        Optional.empty(),
                        Optional.empty(),
                        Samples.NOW);
        assertTrue(endpoints.create(endpoint, WebhookSecrets.create(), 100));
        return endpoint;
    }

    /** It may be a token of the receiver. */
    @Test
    void query_ofAnAddress_isSealedAtRest() {
        WebhookEndpoint endpoint = endpoint();

        assertEquals("https://a.test/\u00e4", column("url"));
        assertFalse(column("query_sealed").contains("x=1"));
        assertEquals(endpoint.url(), endpoints.find(endpoint.id()).orElseThrow().url());
        assertEquals(
                endpoint.url(), endpoints.list(new PageRequest(1, 10)).items().getFirst().url());
        assertEquals(endpoint.url(), endpoints.enabled().getFirst().url());

        endpoints.change(endpoint.id(), before -> before.withUrl("https://b.test/?t=secret"));
        assertEquals("https://b.test/", column("url"));
        assertEquals("https://b.test/?t=secret", endpoints.find(endpoint.id()).orElseThrow().url());
        endpoints.change(endpoint.id(), before -> before.withUrl("https://b.test/"));
        assertEquals("https://b.test/", endpoints.find(endpoint.id()).orElseThrow().url());
    }

    @Test
    void query_thatAnEarlierVersionHasStored_isSealedAtTheStart() {
        WebhookEndpoint endpoint = endpoint();
        database()
                .with(
                        handle ->
                                handle.execute(
                                        "UPDATE webhook_endpoints SET url ="
                                                + " 'https://old.test/h?token=1?2',"
                                                + " query_sealed = NULL"));

        assertEquals(1, endpoints.resealStale());
        assertEquals(0, endpoints.resealStale());

        assertEquals("https://old.test/h", column("url"));
        assertEquals(
                "https://old.test/h?token=1?2", endpoints.find(endpoint.id()).orElseThrow().url());
        assertTrue(new SealedTexts(database()).beginnings(4_096).contains(column("query_sealed")));
    }

    @Test
    void attempts_ofAnEarlierVersion_loseTheQuery() throws IOException {
        String migration;
        try (InputStream in =
                Objects.requireNonNull(
                        Schema.class.getResourceAsStream(
                                "migration/V14__sealed_url_queries.sql"))) {
            migration = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String update = migration.substring(migration.indexOf("UPDATE")).replace(";", "");
        List<String> heads =
                List.of(
                        "POST /h?token=1?2 HTTP/1.1\nHost: a.test?x",
                        "POST /h HTTP/1.1\nHost: a.test\nA: b?c HTTP/1.1");
        database().with(handle -> handle.execute("DELETE FROM delivery_attempts"));
        database()
                .with(
                        handle ->
                                handle.execute(
                                        """
                                        INSERT INTO deliveries (id, place, endpoint_id, stream_id,
                                            status, tries, attempts, due_at_ms, created_at_ms)
                                        VALUES ('d', 1, 'e', 's', 'failed', 1, 1, 0, 0)
                                        """));
        for (int i = 0; i < heads.size(); i++) {
            int number = i;
            database()
                    .with(
                            handle ->
                                    handle.execute(
                                            """
                                            INSERT INTO delivery_attempts (delivery_id, number,
                                                at_ms, duration_ms, request_head)
                                            VALUES ('d', ?, 0, 0, ?)
                                            """,
                                            number,
                                            heads.get(number)));
        }

        database().with(handle -> handle.execute(update));

        assertEquals(
                List.of("POST /h?... HTTP/1.1\nHost: a.test?x", heads.getLast()),
                database()
                        .with(
                                handle ->
                                        handle.createQuery(
                                                        "SELECT request_head FROM delivery_attempts"
                                                                + " ORDER BY number")
                                                .mapTo(String.class)
                                                .list()));
    }

    private String column(String name) {
        return database()
                .with(
                        handle ->
                                handle.createQuery("SELECT " + name + " FROM webhook_endpoints")
                                        .mapTo(String.class)
                                        .one());
    }
}
