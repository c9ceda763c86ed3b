package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.standardwebhooks.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.api.domain.Delivery;
import touchline.api.domain.DeliveryAttempt;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.EventType;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookSecrets;
import touchline.api.egress.EgressException;
import touchline.testing.Await;

/** Deliveries to endpoints, their order, and the effect of responses. The test sets the time. */
final class WebhookDispatchTest {
    private static final String HOST = "receiver.test";

    private final WebhookFixture room = new WebhookFixture();

    @AfterEach
    void close() {
        room.close();
    }

    private static List<String> ids(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }

    private List<Event> events(String stream, int count) {
        return IntStream.range(0, count).mapToObj(_ -> room.event(stream)).toList();
    }

    private List<String> received(int count) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(room.next(HOST).id());
        }
        return ids;
    }

    @Test
    void events_ofOneStream_arriveInOrderAndStandInTheLog() throws Exception {
        String endpoint = room.endpoint(HOST);
        List<Event> events = events("str_1", 50);

        assertEquals(ids(events), received(50));
        Delivery last = room.ended(endpoint, events.getLast(), Delivery.Status.SUCCEEDED);
        DeliveryAttempt attempt = last.attempts().getFirst();
        assertEquals(1, last.attempts().size());
        assertEquals(200, attempt.httpStatus().orElseThrow());
        assertTrue(attempt.requestHead().startsWith("POST /hook HTTP/1.1\nHost: receiver.test\n"));
        assertTrue(attempt.requestHead().contains("webhook-id: " + events.getLast().id()));
        assertEquals(Optional.of("HTTP/1.1 200"), attempt.responseHead());
        assertEquals(50, room.dispatch().counters().succeeded());
    }

    @Test
    void request_asItArrives_isTheEventSignedByTheStandard() throws Exception {
        room.clock.advance(Duration.between(room.clock.instant(), Instant.now()));
        String endpoint = room.endpoint(HOST);
        Event event = room.event("str_1");

        WebhookFixture.Call call = room.next(HOST);
        assertEquals(event.body(), call.body());
        assertEquals("application/json", call.headers().get("Content-Type"));
        Map<String, List<String>> headers = new HashMap<>();
        call.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        WebhookSecrets secrets = room.endpoints.secrets(endpoint).orElseThrow();
        new Webhook(secrets.current()).verify(call.body(), headers);
    }

    @Test
    void filters_byTypeAndStream_letOnlyThoseThrough() throws Exception {
        room.endpoint(
                HOST,
                new EventFilter(
                        List.of(EventType.ASSET_READY.wireName()), Optional.of(List.of("str_2"))));

        room.event(EventType.ASSET_READY, "str_1");
        room.event(EventType.LIVE_STREAM_IDLE, "str_2");
        Event wanted = room.event(EventType.ASSET_READY, "str_2");

        assertEquals(wanted.id(), room.next(HOST).id());
        assertEquals(List.of(), room.rest(HOST));
    }

    @Test
    void laterEvents_whileAnEarlierOneFails_waitForTwoRetriesAndThenPass() throws Exception {
        String endpoint = room.endpoint(HOST);
        String[] bad = new String[1];
        room.stop();
        List<Event> events = events("str_1", 3);
        bad[0] = events.getFirst().id();
        room.receiver(HOST, call -> WebhookFixture.status(call.id().equals(bad[0]) ? 500 : 200));
        room.startAgain();
        Instant start = room.clock.instant();

        assertEquals(bad[0], room.next(HOST).id());
        assertTrue(!room.arranged(endpoint, start).isBefore(start.plusSeconds(5)));
        assertEquals(1, room.attempted(endpoint, events.getFirst(), 1).attempts().size());
        Event fourth = room.event("str_1");
        assertEquals(List.of(), room.rest(HOST));

        room.pass(Duration.ofMillis(5_500));
        assertEquals(bad[0], room.next(HOST).id());
        room.arranged(endpoint, room.clock.instant().plusSeconds(200));
        assertEquals(List.of(), room.rest(HOST));

        room.pass(Duration.ofSeconds(330));
        assertEquals(bad[0], room.next(HOST).id());
        assertEquals(List.of(events.get(1).id(), events.get(2).id(), fourth.id()), received(3));
        Delivery passed = room.attempted(endpoint, events.getFirst(), 3);
        assertEquals(Delivery.Status.PENDING, passed.status());
        assertEquals("HTTP 500", passed.attempts().getFirst().error().orElseThrow());

        assertEquals(List.of(), room.rest(HOST));

        // The fourth attempt comes half an hour later, whatever has been sent meanwhile.
        room.receiver(HOST, _ -> WebhookFixture.status(204));
        room.arranged(endpoint, room.clock.instant().plusSeconds(1_700));
        room.pass(Duration.ofMinutes(33));
        assertEquals(bad[0], room.next(HOST).id());
        room.ended(endpoint, events.getFirst(), Delivery.Status.SUCCEEDED);
        assertEquals(List.of(), room.rest(HOST));
    }

    @Test
    void otherStreams_whileOneIsBlocked_goOn() throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(
                HOST, call -> WebhookFixture.status(call.body().contains("str_bad") ? 503 : 200));
        Event bad = room.event("str_bad");
        room.attempted(endpoint, bad, 1);
        room.next(HOST);

        List<Event> good = events("str_good", 5);

        assertEquals(ids(good), received(5));
        assertEquals(List.of(), room.rest(HOST));
    }

    @Test
    void delivery_afterItsLastRetry_isGivenUp() throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(HOST, _ -> WebhookFixture.status(500));
        Event event = room.event("str_1");
        for (int attempt = 1; attempt <= 9; attempt++) {
            room.attempted(endpoint, event, attempt);
            Instant due = room.arranged(endpoint, room.clock.instant());
            room.pass(Duration.between(room.clock.instant(), due));
        }

        Delivery given = room.ended(endpoint, event, Delivery.Status.FAILED);
        assertEquals(10, given.attempts().size());
        assertEquals(10, room.rest(HOST).size());
        assertEquals(1, room.dispatch().counters().givenUp());
        assertEquals(10, room.dispatch().counters().failed());
        assertTrue(room.endpoints.find(endpoint).orElseThrow().enabled());
    }

    @Test
    void retryAfter_ofATooBusyReceiver_isHonoured() throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(HOST, _ -> WebhookFixture.status(429, Map.of("retry-after", "120")));
        Event event = room.event("str_1");

        Instant due = room.arranged(endpoint, room.clock.instant());

        assertEquals(Duration.ofMinutes(2), Duration.between(room.clock.instant(), due));
        assertEquals(1, room.rest(HOST).size());
        assertEquals(1, room.delivery(endpoint, event).attempts().size());
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308, 304, 400, 404, 500, 503, 199})
    void answer_thatIsNoSuccess_isTriedAgain(int status) throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(
                HOST, _ -> WebhookFixture.status(status, Map.of("Location", "https://b.test")));
        Event event = room.event("str_1");

        Delivery tried = room.attempted(endpoint, event, 1);

        assertEquals(Delivery.Status.PENDING, tried.status());
        assertTrue(tried.attempts().getFirst().error().orElseThrow().startsWith("HTTP " + status));
    }

    @ParameterizedTest
    @EnumSource(EgressException.Kind.class)
    void requestThatGetsNoAnswer_isTriedAgain(EgressException.Kind kind) throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(
                HOST,
                _ -> {
                    throw new EgressException(kind, "failed\u0000 why");
                });
        Event event = room.event("str_1");

        Delivery tried = room.attempted(endpoint, event, 1);

        assertEquals(Delivery.Status.PENDING, tried.status());
        assertEquals("failed\ufffd why", tried.attempts().getFirst().error().orElseThrow());
        assertTrue(tried.attempts().getFirst().httpStatus().isEmpty());
    }

    @Test
    void receiverThatIsGone_isDisabledAndOthersAreNotified() throws Exception {
        String gone = room.endpoint("gone.test");
        String other = room.endpoint(HOST);
        room.receiver("gone.test", _ -> WebhookFixture.status(410));

        Event event = room.event("str_1");

        Delivery failed = room.ended(gone, event, Delivery.Status.FAILED);
        assertTrue(failed.attempts().getFirst().error().orElseThrow().contains("410"));
        WebhookEndpoint endpoint = room.endpoints.find(gone).orElseThrow();
        assertEquals(WebhookEndpoint.Reason.GONE, endpoint.disabled().orElseThrow().reason());
        // Of different stream queues: either may come first.
        Map<String, String> bodies = new HashMap<>();
        for (int i = 0; i < 2; i++) {
            var received = room.next(HOST);
            bodies.put(received.id(), received.body());
        }
        assertTrue(bodies.containsKey(event.id()), bodies.toString());
        bodies.remove(event.id());
        String body = bodies.values().iterator().next();
        assertTrue(body.contains("\"type\":\"webhook.disabled\""), body);
        assertTrue(body.contains("\"disabled_reason\":\"gone\""), body);
        assertEquals(2, room.deliveries(other).size());
        room.event("str_1");
        assertEquals(1, room.rest("gone.test").size());
        assertEquals(1, room.deliveries(gone).size());
        assertEquals(1, room.dispatch().counters().disabled());
    }

    @Test
    void receiverThatFailsForFiveDays_isDisabled() throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(HOST, _ -> WebhookFixture.status(500));
        room.attempted(endpoint, room.event("str_1"), 1);
        assertTrue(room.endpoints.find(endpoint).orElseThrow().failingSince().isPresent());

        room.clock.advance(Duration.ofDays(5).minusSeconds(1));
        room.attempted(endpoint, room.event("str_2"), 1);
        assertTrue(room.endpoints.find(endpoint).orElseThrow().enabled());

        room.clock.advance(Duration.ofSeconds(1));
        room.attempted(endpoint, room.event("str_3"), 1);
        Await.until(() -> !room.endpoints.find(endpoint).orElseThrow().enabled());
        assertEquals(
                WebhookEndpoint.Reason.FAILING,
                room.endpoints.find(endpoint).orElseThrow().disabled().orElseThrow().reason());
    }

    @Test
    void success_inBetween_startsTheFiveDaysAnew() throws Exception {
        String endpoint = room.endpoint(HOST);
        AtomicInteger status = new AtomicInteger(500);
        room.receiver(HOST, _ -> WebhookFixture.status(status.get()));
        room.attempted(endpoint, room.event("str_1"), 1);

        room.clock.advance(Duration.ofDays(4));
        status.set(200);
        room.ended(endpoint, room.event("str_2"), Delivery.Status.SUCCEEDED);
        assertTrue(room.endpoints.find(endpoint).orElseThrow().failingSince().isEmpty());

        room.clock.advance(Duration.ofDays(2));
        status.set(500);
        room.attempted(endpoint, room.event("str_3"), 1);
        assertTrue(room.endpoints.find(endpoint).orElseThrow().enabled());
    }

    @Test
    void pendingEvents_afterARestart_areSentInOrder() throws Exception {
        String endpoint = room.endpoint(HOST);
        room.stop();
        List<Event> events = events("str_1", 100);
        assertEquals(List.of(), room.rest(HOST));

        room.startAgain();

        assertEquals(ids(events), received(100));
        room.ended(endpoint, events.getLast(), Delivery.Status.SUCCEEDED);
        assertEquals(List.of(), room.rest(HOST));
    }

    @Test
    void retry_thatIsDueAfterARestart_isArrangedAgain() throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(HOST, _ -> WebhookFixture.status(500));
        Event event = room.event("str_1");
        room.attempted(endpoint, event, 1);
        Instant due = room.arranged(endpoint, room.clock.instant());
        room.stop();
        // What is arranged from here on is the new server's, which then waits for it.
        room.timer.clear();
        room.startAgain();

        assertEquals(due, room.arranged(endpoint, room.clock.instant()));
        room.receiver(HOST, _ -> WebhookFixture.status(200));
        room.pass(Duration.between(room.clock.instant(), due));
        assertEquals(2, room.ended(endpoint, event, Delivery.Status.SUCCEEDED).attempts().size());
    }

    @Test
    void receiverThatHangs_delaysNoOtherReceiver() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        String slow = room.endpoint("slow.test");
        room.endpoint(HOST);
        room.receiver(
                "slow.test",
                _ -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    release.await();
                    running.decrementAndGet();
                    return WebhookFixture.status(200);
                });
        // More than the slow endpoint has senders.
        for (int i = 0; i < 3 * EndpointDispatcher.SENDERS; i++) {
            room.event("str_" + i);
        }

        received(3 * EndpointDispatcher.SENDERS);
        Await.until(() -> running.get() == EndpointDispatcher.SENDERS);
        release.countDown();
        Await.until(
                () ->
                        room.deliveries(slow).stream()
                                .allMatch(d -> d.status() == Delivery.Status.SUCCEEDED));
        assertEquals(3 * EndpointDispatcher.SENDERS, room.rest("slow.test").size());
        assertEquals(EndpointDispatcher.SENDERS, most.get());
    }

    @Test
    void deletedOrDisabledEndpoint_getsNothingMore() throws Exception {
        String deleted = room.endpoint("deleted.test");
        String disabled = room.endpoint("disabled.test");
        room.endpoints.delete(deleted);
        room.dispatch().changed(deleted);
        room.endpoints.change(
                disabled, e -> e.disable(WebhookEndpoint.Reason.REQUESTED, room.clock.instant()));
        room.dispatch().changed(disabled);
        room.endpoint(HOST);

        Event event = room.event("str_1");

        assertEquals(event.id(), room.next(HOST).id());
        assertEquals(List.of(), room.rest("deleted.test"));
        assertEquals(List.of(), room.rest("disabled.test"));
        assertFalse(room.endpoints.find(deleted).isPresent());
        assertEquals(List.of(), room.deliveries(disabled));
    }
}
