package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.access.MasterKeys;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.domain.Delivery;
import touchline.api.domain.DeliveryAttempt;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.DeliveryOutcome.Next;
import touchline.api.domain.DueDelivery;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.EventType;
import touchline.api.domain.PageRequest;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookEndpoint.Reason;
import touchline.api.domain.WebhookSecrets;
import touchline.media.StreamId;

/** Contract of the repositories of endpoints and deliveries on any database. */
abstract class WebhookRepositoryContract {
    static final SecretVault VAULT = vault((byte) 1);

    private static final StreamId STREAM = new StreamId("str_1");

    private WebhookRepository endpoints;
    private DeliveryRepository deliveries;
    private DeliveryLog log;

    abstract Database database();

    private static SecretVault vault(byte... first) {
        StringBuilder keys = new StringBuilder();
        for (byte each : first) {
            byte[] key = new byte[32];
            key[0] = each;
            keys.append(Base64.getEncoder().encodeToString(key)).append('\n');
        }
        return SealedSecrets.ofWebhooks(
                new SecretBox(
                        MasterKeys.load(
                                Optional.of(keys.toString().strip()), Path.of("does-not-exist"))));
    }

    @BeforeEach
    void empty() {
        for (String table : List.of("deliveries", "events", "webhook_endpoints")) {
            database().with(handle -> handle.execute("DELETE FROM " + table));
        }
        endpoints = new WebhookRepository(database(), VAULT);
        deliveries = new DeliveryRepository(database());
        log = new DeliveryLog(database());
    }

    private WebhookEndpoint endpoint() {
        WebhookEndpoint endpoint =
                new WebhookEndpoint(
                        WebhookEndpoint.newId(),
                        "https://a.test/\u00e4?x=1",
                        "words \ud83c\udfc6",
                        new EventFilter(List.of("asset.ready", "*"), Optional.of(List.of("str_1"))),
                        Optional.empty(),
                        Optional.empty(),
                        Samples.NOW);
        assertTrue(endpoints.create(endpoint, WebhookSecrets.create(), 100));
        return endpoint;
    }

    private Event event() {
        return database()
                .transaction(
                        () ->
                                database()
                                        .outbox()
                                        .append(
                                                NewEvent.of(
                                                        EventType.ASSET_READY,
                                                        STREAM,
                                                        JsonNodeFactory.instance.objectNode())));
    }

    @Test
    void endpoint_storedAndChanged_comesBackEqual() {
        WebhookEndpoint endpoint = endpoint();
        assertEquals(Optional.of(endpoint), endpoints.find(endpoint.id()));
        assertEquals(List.of(endpoint), endpoints.enabled());

        Instant at = Samples.NOW.plusSeconds(5);
        WebhookEndpoint changed =
                endpoint.withUrl("https://b.test/")
                        .withDescription("")
                        .withFilter(new EventFilter(List.of("*"), Optional.empty()))
                        .failing(Optional.of(at))
                        .disable(Reason.FAILING, at);
        assertEquals(Optional.of(changed), endpoints.change(endpoint.id(), _ -> changed));
        assertEquals(Optional.of(changed), endpoints.find(endpoint.id()));
        assertEquals(List.of(), endpoints.enabled());
        assertEquals(
                List.of(changed.enable()),
                endpoints.change(endpoint.id(), WebhookEndpoint::enable).stream().toList());
        assertEquals(Optional.empty(), endpoints.change("nothing", e -> e));
    }

    @Test
    void failing_countsEnabledEndpointsThatFailedLast() {
        WebhookEndpoint first = endpoint();
        endpoint();
        Instant at = Samples.NOW;
        assertEquals(0, endpoints.failing());

        endpoints.change(first.id(), each -> each.failing(Optional.of(at)));
        assertEquals(1, endpoints.failing());
        endpoints.change(first.id(), each -> each.disable(Reason.FAILING, at));
        assertEquals(0, endpoints.failing());
    }

    @Test
    void endpoints_listed_newestFirstAndBounded() {
        WebhookEndpoint first = endpoint();
        WebhookEndpoint second = endpoint();

        assertEquals(List.of(second, first), endpoints.list(PageRequest.FIRST).items());
        assertFalse(endpoints.create(first, "whsec_", 2));
        assertTrue(endpoints.delete(first.id()));
        assertFalse(endpoints.delete(first.id()));
        assertEquals(1, endpoints.list(PageRequest.FIRST).total());
    }

    @Test
    void secrets_rotated_keepThePreviousOneForAWhile() {
        String id = endpoint().id();
        String before = endpoints.secrets(id).orElseThrow().current();
        Instant until = Samples.NOW.plus(Duration.ofDays(1));

        assertTrue(endpoints.rotate(id, "whsec_bmV3", until));

        var secrets = endpoints.secrets(id).orElseThrow();
        assertEquals(List.of("whsec_bmV3", before), secrets.valid(until.minusMillis(1)));
        assertEquals(List.of("whsec_bmV3"), secrets.valid(until));
        assertFalse(secrets.toString().contains("bmV3"));
        assertEquals(Optional.empty(), endpoints.secrets("nothing"));
        assertFalse(endpoints.rotate("nothing", "whsec_bmV3", until));
    }

    @Test
    void secrets_underAnOldMasterKey_areSealedAnew() {
        String id = endpoint().id();
        var before = endpoints.secrets(id).orElseThrow();
        assertEquals(0, endpoints.resealStale());
        SecretVault both = new ListedVault(vault((byte) 2), VAULT);

        assertEquals(1, new WebhookRepository(database(), both).resealStale());

        assertEquals(
                Optional.of(before),
                new WebhookRepository(database(), vault((byte) 2)).secrets(id));
        assertThrows(RuntimeException.class, () -> endpoints.secrets(id));
    }

    /** Seals under the first, opens under both. */
    private record ListedVault(SecretVault current, SecretVault old) implements SecretVault {
        @Override
        public String seal(String secret, String endpoint) {
            return current.seal(secret, endpoint);
        }

        @Override
        public String open(String text, String endpoint) {
            return (current.isStale(text) ? old : current).open(text, endpoint);
        }

        @Override
        public boolean isStale(String text) {
            return current.isStale(text);
        }
    }

    private static DeliveryOutcome outcome(DueDelivery due, Next next, Instant again) {
        boolean done = next == Next.SUCCEEDED;
        return new DeliveryOutcome(
                due.id(),
                next,
                due.tries() + 1,
                again,
                new DeliveryAttempt(
                        due.attempts() + 1,
                        Samples.NOW,
                        Duration.ofMillis(12),
                        done ? OptionalInt.of(200) : OptionalInt.empty(),
                        done ? Optional.empty() : Optional.of("no answer"),
                        "POST / HTTP/1.1",
                        done ? Optional.of("HTTP/1.1 200 OK") : Optional.empty(),
                        done ? Optional.of("thanks \ud83c\udfc6") : Optional.empty()));
    }

    @Test
    void outcomes_stored_leadOn() {
        String id = endpoint().id();
        Event first = event();
        Event second = event();
        Instant later = Samples.NOW.plusSeconds(100);
        List<DueDelivery> due = deliveries.waiting(id, "str_1", 10);
        assertEquals(List.of(first, second), due.stream().map(DueDelivery::event).toList());
        assertEquals(List.of("str_1"), deliveries.waitingStreams(id));

        deliveries.store(
                List.of(
                        outcome(due.get(0), Next.IN_ORDER, later),
                        outcome(due.get(1), Next.SUCCEEDED, Samples.NOW)));

        DueDelivery again = deliveries.waiting(id, "str_1", 10).getFirst();
        assertEquals(1, deliveries.waiting(id, "str_1", 10).size());
        assertEquals(new DueDelivery(due.get(0).id(), first, false, 1, 1, later), again);
        Delivery done = log.ofEvent(id, second).orElseThrow();
        assertEquals(Delivery.Status.SUCCEEDED, done.status());
        assertEquals(
                List.of(outcome(due.get(1), Next.SUCCEEDED, Samples.NOW).attempt()),
                done.attempts());
        assertEquals(Optional.of(Samples.NOW.plusMillis(12)), done.finishedAt());

        deliveries.store(List.of(outcome(again, Next.UNORDERED, later)));
        assertEquals(List.of(), deliveries.waitingStreams(id));
        assertEquals(List.of(), deliveries.unordered(id, later.minusMillis(1), 10));
        assertEquals(Optional.of(later), deliveries.nextUnordered(id));
        DueDelivery unordered = deliveries.unordered(id, later, 10).getFirst();
        assertTrue(unordered.isUnordered());
        assertEquals(2, unordered.attempts());
        assertEquals(Optional.of(first.createdAt()), deliveries.oldestPending());

        deliveries.store(List.of(outcome(unordered, Next.FAILED, later)));
        assertEquals(Optional.empty(), deliveries.nextUnordered(id));
        assertEquals(Optional.empty(), deliveries.oldestPending());
        assertEquals(
                List.of(1, 2, 3),
                log.ofEvent(id, first).orElseThrow().attempts().stream()
                        .map(DeliveryAttempt::number)
                        .toList());
    }

    @Test
    void outcome_ofADeletedEndpoint_isPassedOver() {
        String id = endpoint().id();
        event();
        DueDelivery due = deliveries.waiting(id, "str_1", 10).getFirst();
        endpoints.delete(id);

        deliveries.store(List.of(outcome(due, Next.SUCCEEDED, Samples.NOW)));

        assertEquals(Optional.empty(), log.find(id, due.id()));
    }

    @Test
    void log_listsByStatus_newestFirst() {
        String id = endpoint().id();
        Event first = event();
        Event second = event();
        Event third = event();
        List<DueDelivery> due = deliveries.waiting(id, "str_1", 10);
        deliveries.store(
                List.of(
                        outcome(due.get(0), Next.SUCCEEDED, Samples.NOW),
                        outcome(due.get(1), Next.FAILED, Samples.NOW)));

        assertEquals(List.of(third.id(), second.id(), first.id()), listed(id, Optional.empty()));
        assertEquals(List.of(first.id()), listed(id, Optional.of(Delivery.Status.SUCCEEDED)));
        assertEquals(List.of(second.id()), listed(id, Optional.of(Delivery.Status.FAILED)));
        assertEquals(List.of(third.id()), listed(id, Optional.of(Delivery.Status.PENDING)));
        assertTrue(log.replay(id, due.get(0).id(), Samples.NOW));
        assertFalse(log.replay(id, "nothing", Samples.NOW));
        assertFalse(log.replay("nothing", due.get(0).id(), Samples.NOW));
        assertEquals(
                List.of(third.id(), first.id()), listed(id, Optional.of(Delivery.Status.PENDING)));
        assertTrue(log.list(id, Optional.empty(), new PageRequest(1, 2)).hasMore());
    }

    private List<String> listed(String endpoint, Optional<Delivery.Status> status) {
        return log.list(endpoint, status, PageRequest.FIRST).items().stream()
                .map(Delivery::eventId)
                .toList();
    }

    @Test
    void rowsOfDeletedEndpointsAndStreams_areForgotten() {
        String id = endpoint().id();
        event();
        database().with(h -> h.execute("DELETE FROM webhook_endpoints"));
        EventRepository events = new EventRepository(database());

        assertTrue(events.trimForgotten(100) >= 1);
        assertEquals(List.of(), deliveries.waiting(id, "str_1", 10));
        while (events.trimForgotten(100) > 0) {
            // A part at a time.
        }
        database().with(h -> h.execute("DELETE FROM events"));
        assertTrue(events.trimForgotten(100) >= 1, "the numbers of str_1");
    }
}
