package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.standardwebhooks.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.EventRepository;
import touchline.api.domain.Delivery;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.PageRequest;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookSecrets;
import touchline.api.maintenance.EventLogRetention;
import touchline.config.EventsConfig;

/** Sending again, and how long that is possible. */
final class ReplayTest {
    private static final String HOST = "receiver.test";
    private static final EventFilter ALL =
            new EventFilter(List.of(EventFilter.ALL), Optional.empty());

    private final WebhookFixture room = new WebhookFixture();

    @AfterEach
    void close() {
        room.close();
    }

    private Event delivered(String endpoint, String stream) throws InterruptedException {
        Event event = room.event(stream);
        assertEquals(event.id(), room.next(HOST).id());
        room.ended(endpoint, event, Delivery.Status.SUCCEEDED);
        return event;
    }

    @Test
    void delivery_replayed_isSentOnceMoreWithTheSameId() throws Exception {
        String endpoint = room.endpoint(HOST);
        Event event = delivered(endpoint, "str_1");
        Delivery before = room.delivery(endpoint, event);

        assertTrue(room.log.replay(endpoint, before.id(), room.clock.instant()));
        room.dispatch().replayed(endpoint);

        assertEquals(event.id(), room.next(HOST).id());
        Delivery after = room.attempted(endpoint, event, 2);
        assertEquals(before.id(), after.id());
        assertEquals(2, after.attempts().getLast().number());
    }

    @Test
    void replay_thatFails_delaysNothingAndHasItsOwnSchedule() throws Exception {
        String endpoint = room.endpoint(HOST);
        Event event = delivered(endpoint, "str_1");
        room.receiver(
                HOST, call -> WebhookFixture.status(call.id().equals(event.id()) ? 500 : 200));
        room.log.replay(endpoint, room.delivery(endpoint, event).id(), room.clock.instant());
        room.dispatch().replayed(endpoint);
        assertEquals(event.id(), room.next(HOST).id());
        Instant due = room.arranged(endpoint, room.clock.instant());

        assertTrue(due.isBefore(room.clock.instant().plusSeconds(6)), due::toString);
        delivered(endpoint, "str_1");
        room.pass(Duration.ofSeconds(6));
        assertEquals(event.id(), room.next(HOST).id());
    }

    @Test
    void everythingThatFailed_isReplayedAtOnce() throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(HOST, _ -> WebhookFixture.status(500));
        Event event = room.event("str_1");
        for (int attempt = 1; attempt <= 9; attempt++) {
            room.attempted(endpoint, event, attempt);
            room.pass(
                    Duration.between(
                            room.clock.instant(), room.arranged(endpoint, room.clock.instant())));
        }
        room.ended(endpoint, event, Delivery.Status.FAILED);
        room.receiver(HOST, _ -> WebhookFixture.status(200));

        Instant now = room.clock.instant();
        assertEquals(0, room.log.replayFailed(endpoint, now, now.plusSeconds(1), now));
        assertEquals(1, room.log.replayFailed(endpoint, Instant.EPOCH, now, now));
        room.dispatch().replayed(endpoint);

        assertEquals(11, room.ended(endpoint, event, Delivery.Status.SUCCEEDED).attempts().size());
        assertEquals(0, room.log.replayFailed(endpoint, Instant.EPOCH, now, now));
    }

    @Test
    void rangeOfTime_replayed_bringsWhatTheEndpointNeverGot() throws Exception {
        room.event("str_1");
        room.clock.advance(Duration.ofMinutes(1));
        Instant from = room.clock.instant();
        Event first = room.event("str_1");
        Event second = room.event("str_1");
        room.clock.advance(Duration.ofMinutes(1));
        Instant to = room.clock.instant();
        room.event("str_1");
        String endpoint = room.endpoint(HOST);

        int replayed = room.log.replayAll(endpoint, ALL, from, to, room.clock.instant());
        room.dispatch().replayed(endpoint);

        assertEquals(2, replayed);
        assertEquals(first.id(), room.next(HOST).id());
        assertEquals(second.id(), room.next(HOST).id());
        room.ended(endpoint, second, Delivery.Status.SUCCEEDED);
        assertEquals(2, room.log.replayAll(endpoint, ALL, from, to, room.clock.instant()));
        assertEquals(2, room.deliveries(endpoint).size());
    }

    @Test
    void secretsAfterARotation_signTogetherForADay() throws Exception {
        room.clock.advance(Duration.between(room.clock.instant(), Instant.now()));
        String endpoint = room.endpoint(HOST);
        String before = room.endpoints.secrets(endpoint).orElseThrow().current();
        String after = WebhookSecrets.create();
        room.endpoints.rotate(endpoint, after, room.clock.instant().plus(Duration.ofDays(1)));
        room.dispatch().changed(endpoint);

        room.event("str_1");
        WebhookFixture.Call both = room.next(HOST);
        room.clock.advance(Duration.ofDays(1));
        room.event("str_1");
        WebhookFixture.Call one = room.next(HOST);

        String signatures = both.headers().getOrDefault("webhook-signature", "");
        assertEquals(2, signatures.split(" ", -1).length);
        long timestamp = Long.parseLong(both.headers().getOrDefault("webhook-timestamp", "0"));
        for (String secret : List.of(before, after)) {
            assertTrue(
                    signatures.contains(
                            new Webhook(secret).sign(both.id(), timestamp, both.body())));
        }
        assertEquals(1, one.headers().getOrDefault("webhook-signature", "").split(" ", -1).length);
    }

    @Test
    void log_isKeptAsLongAndAsLargeAsConfigured() throws Exception {
        String endpoint = room.endpoint(HOST);
        EventRepository events = new EventRepository(room.database);
        Event old = delivered(endpoint, "str_1");
        room.clock.advance(Duration.ofDays(8));
        Event recent = delivered(endpoint, "str_1");

        assertEquals(0, keeper(events, Duration.ofDays(9), 1_000).apply());
        assertTrue(keeper(events, Duration.ofDays(7), 1_000).apply() >= 2);
        assertTrue(events.find(old.id()).isEmpty());
        assertEquals(1, room.deliveries(endpoint).size());
        Event newest = delivered(endpoint, "str_1");

        keeper(events, Duration.ofDays(30), 1).apply();

        assertEquals(
                List.of(newest),
                events.list(EventRepository.Choice.ALL, PageRequest.FIRST).items());
        assertTrue(events.find(recent.id()).isEmpty());
    }

    @Test
    void pendingDeliveries_ofAnEnabledEndpoint_areNeverTakenAway() throws Exception {
        String endpoint = room.endpoint(HOST);
        room.receiver(HOST, _ -> WebhookFixture.status(500));
        Event event = room.event("str_1");
        room.attempted(endpoint, event, 1);
        EventRepository events = new EventRepository(room.database);
        room.clock.advance(Duration.ofDays(100));

        assertEquals(0, keeper(events, Duration.ofDays(7), 1_000).apply());
        room.endpoints.change(
                endpoint, e -> e.disable(WebhookEndpoint.Reason.REQUESTED, room.clock.instant()));
        // The delivery, its event, and the numbers of an unknown stream.
        assertEquals(3, keeper(events, Duration.ofDays(7), 1_000).apply());
        assertTrue(events.find(event.id()).isEmpty());
    }

    private EventLogRetention keeper(EventRepository events, Duration keep, int most) {
        return new EventLogRetention(events, () -> new EventsConfig(keep, most), room.clock);
    }
}
